"""Invariants of ARCHITECTURE.md that can be read off the text. Exits 1 with a line per violation."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
bad: list[str] = []


def rust_files(*folders: str):
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.rs"))


def forbid(pattern: str, why: str, *folders: str) -> None:
    for path in rust_files(*folders):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(pattern, line) and not line.lstrip().startswith("//"):
                bad.append(f"{path.relative_to(ROOT)}:{number}: {why}: {line.strip()}")


forbid(r"\bproc_macro::", "only `macros` names proc_macro", "compiler/src", "core/src", "src")
forbid(r"std::(env|fs|net|time)\b|SystemTime|Instant::", "a pass is a pure function", "compiler/src")
forbid(r"\bunsafe\s+(\{|fn|impl|trait|extern)", "only core has unsafe code", "arrow/src", "compiler/src", "macros/src", "src")
forbid(r"\b(todo|unimplemented)!\(", "nothing is left undone", "arrow/src", "compiler/src", "core/src", "macros/src", "src")

for path in rust_files("arrow/src", "compiler/src", "core/src", "macros/src", "src"):
    lines = len(path.read_text().splitlines())
    if lines > 550:
        bad.append(f"{path.relative_to(ROOT)}: {lines} lines; split it by construct")

metadata = json.loads(
    subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--offline", "--locked"],
        cwd=ROOT, capture_output=True, check=False, text=True,
    ).stdout
    or subprocess.run(
        ["cargo", "metadata", "--format-version", "1"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout
)
by_id = {package["id"]: package["name"] for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}


def reach(start: str) -> set[str]:
    seen: set[str] = set()
    todo = [identity for identity, name in by_id.items() if name == start]
    while todo:
        identity = todo.pop()
        if identity in seen:
            continue
        seen.add(identity)
        for dependency in nodes[identity]["deps"]:
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            if kinds != {"dev"}:
                todo.append(dependency["pkg"])
    return {by_id[identity] for identity in seen}


allowed = {"ragged-macros", "ragged-compiler", "syn", "quote", "proc-macro2", "unicode-ident"}
for extra in sorted(reach("ragged-macros") - allowed):
    bad.append(f"the macro's build pulls in `{extra}`")
# Features that only the workspace's own tests have are no part of what users build.
tree = subprocess.run(
    ["cargo", "tree", "-p", "ragged", "-e", "no-dev", "--prefix", "none", "--format", "{p}"],
    cwd=ROOT, capture_output=True, check=True, text=True,
).stdout
total = {line.split()[0] for line in tree.splitlines() if line}
if len(total) - 1 >= 40:
    bad.append(f"`ragged` pulls in {len(total) - 1} crates (aim: under 40)")

# An array of another version is another type, and rustc does not say so.
core = next(it for it in metadata["packages"] if it["name"] == "ragged-core")
ndarray = next(it["req"].lstrip("^") for it in core["dependencies"] if it["name"] == "ndarray")
for place in ["README.md", "core/src/dense.rs", "docs/manual/chapters/types.md"]:
    if f"`ndarray` {ndarray}" not in (ROOT / place).read_text():
        bad.append(f"{place}: does not say that `ndarray` is {ndarray}")



def prose(path: pathlib.Path) -> str:
    return re.sub(r"```.*?```", "", path.read_text(), flags=re.S)


def anchors(path: pathlib.Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", prose(path), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


# What the manual is made from has its links where the manual lies.
for page in sorted(page for folder in ["", "docs", "benches", "examples", "examples/data"] for page in (ROOT / folder).glob("*.md")):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if link.startswith("http"):
            continue
        place, _, anchor = link.partition("#")
        target = page.parent / place if place else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            bad.append(f"{page.relative_to(ROOT)}: a link to `{link}`, which is not there")

if bad:
    print("\n".join(bad))
    sys.exit(1)
print(f"invariants hold; a crate that depends on `ragged` builds {len(total)} crates")
