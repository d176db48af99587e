//! `RAGGED_EXPLAIN`: a crate that is built with it leaves a page per block.

#![allow(missing_docs, reason = "tests only")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Two blocks, of which one imports from the other.
const CRATE: &str = "pub mod first {
    ragged::accel! {
        /// Is `a < b && b > 0`?
        pub fn twice(xs: [f32; n]) -> [f32; n] { xs.map(|x| x * 2.0) }
    }
}

ragged::accel! {
    use crate::first::twice;

    // In two passes.
    pub fn ranks(xs: [f32; n]) -> [f32; n] {
        let sums = twice(xs).scan(|a, b| a + b);
        sums.map(|s| s / sums.last())
    }
}
";

/// A crate that depends on this one, in a folder that later runs of the tests find again.
struct Crate {
    folder: PathBuf,
}

impl Crate {
    fn new() -> Crate {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explained");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = format!(
            "[package]\nname = \"explained\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nragged = {{ path = {:?}, default-features = false }}\n\n[workspace]\n",
            root.display()
        );
        fs::create_dir_all(folder.join("src")).expect("a folder");
        fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        fs::write(folder.join("src/lib.rs"), CRATE).expect("a source");
        // The same versions, which are here already.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock");
        Crate { folder }
    }

    fn check(&self, explain: &Path) -> Output {
        Command::new(env!("CARGO"))
            .args(["check", "--quiet", "--offline"])
            .current_dir(&self.folder)
            .env("RAGGED_EXPLAIN", explain)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .output()
            .expect("cargo runs")
    }

    /// A folder that is not there.
    fn fresh(&self, name: &str) -> PathBuf {
        let folder = self.folder.join(name);
        let _was_there = fs::remove_dir_all(&folder);
        folder
    }
}

fn text_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("the folder was made");
    let names = files.map(|file| file.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// One test, since one folder can be built in once at a time.
#[test]
fn a_build_leaves_a_page_for_each_block() {
    let it = Crate::new();
    let pages = [
        "explained.src.lib.12.html",
        "explained.src.lib.3.html",
        "index.html",
    ];
    // The second folder shows that another value of the variable is a reason to build again, though
    // no source has changed.
    for name in ["one/inside", "two"] {
        let folder = it.fresh(name);
        let output = it.check(&folder);
        assert!(output.status.success(), "{}", text_of(&output));
        assert_eq!(names(&folder), pages);
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a page");
        assert!(read(pages[1]).contains("/// Is `a &lt; b &amp;&amp; b &gt; 0`?"));
        let importing = read(pages[0]);
        assert!(importing.contains("// In two passes."));
        assert!(
            importing.contains("<span class=\"kw\">fn</span> <span class=\"call\">twice</span>")
        );
        assert!(
            pages[..2]
                .iter()
                .all(|page| read("index.html").contains(page))
        );
    }
    let file = it.fresh("file");
    fs::write(&file, "not a folder").expect("a file");
    let output = it.check(&file.join("pages"));
    let text = text_of(&output);
    assert!(!output.status.success());
    let title = "error: the page that `RAGGED_EXPLAIN` asks for cannot be written into `";
    assert!(text.contains(title), "{text}");
    assert!(text.contains("--> src/lib.rs:2:5"), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    fs::remove_file(file).expect("it was made above");
}
