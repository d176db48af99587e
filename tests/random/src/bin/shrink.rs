//! Shrinks a random program that means different things compiled and interpreted.
//!
//! `cargo run -p ragged-random --bin shrink -- SEED NUMBER`: makes smaller programs in batches, each
//! batch one generated crate with a program per binary, and goes on with the smallest that still
//! disagrees; prints the last.

use ragged_test_support::random::{Input, RandomProgram, program, shrink::smaller};
use ragged_test_support::{typing, wrap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// Programs per generated crate.
const BATCH: usize = 8;
/// Programs that are tried before a step is given up.
const TRIES: usize = 240;

fn main() {
    let numbers: Vec<u64> = env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("SEED and NUMBER are numbers"))
        .collect();
    let [seed, number] = numbers.as_slice() else {
        eprintln!("usage: shrink SEED NUMBER");
        return;
    };
    let factory = Factory::new();
    let mut current = program(*seed, *number);
    let mut why = match factory.disagreements(std::slice::from_ref(&current)).pop() {
        Some((_, why)) => why,
        None => return println!("program {number} of seed {seed} agrees"),
    };
    while let Some((next, reason)) = step(&factory, &current) {
        (current, why) = (next, reason);
        eprintln!(
            "{} pieces left: {why}\n{}",
            current.tree.size(),
            current.tree
        );
    }
    println!("{}\n{why}", current.tree);
}

/// A smaller program that still disagrees.
fn step(factory: &Factory, current: &RandomProgram) -> Option<(RandomProgram, String)> {
    // What the compiler takes, unless it is just that it does not take it.
    let taken = typing::compiles(&current.tree.to_string()).is_ok();
    let typed = |it: &RandomProgram| {
        let text = it.tree.to_string();
        let fine = typing::program(&text).is_ok() && callable(it);
        fine && (!taken || typing::compiles(&text).is_ok())
    };
    let candidates: Vec<RandomProgram> = smaller(current).into_iter().filter(typed).collect();
    let candidates = &candidates[..candidates.len().min(TRIES)];
    for batch in candidates.chunks(BATCH) {
        let found = factory.disagreements(batch);
        if let Some((at, why)) = found.into_iter().next() {
            return Some((batch[at].clone(), why));
        }
    }
    None
}

/// Whether the functions that are called still exist.
fn callable(it: &RandomProgram) -> bool {
    let text = it.tree.to_string();
    let exists = |input: &Input| text.contains(&format!("fn {}(", input.function));
    it.inputs.iter().all(exists)
}

/// Where generated crates are built.
struct Factory {
    root: PathBuf,
    workspace: PathBuf,
}

impl Factory {
    fn new() -> Self {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = env::temp_dir().join(format!("ragged-shrink-{}", std::process::id()));
        Factory { root, workspace }
    }

    /// Which of `programs` disagree, by position, and how.
    fn disagreements(&self, programs: &[RandomProgram]) -> Vec<(usize, String)> {
        let bins = self.root.join("src/bin");
        let _ = fs::remove_dir_all(&bins);
        fs::create_dir_all(&bins).expect("a folder for generated crates");
        fs::write(self.root.join("Cargo.toml"), self.manifest()).expect("a manifest");
        let mut found = Vec::new();
        for (at, program) in programs.iter().enumerate() {
            match source(program) {
                Ok(text) => fs::write(bins.join(format!("p{at}.rs")), text).expect("a program"),
                Err(why) => found.push((at, why)),
            }
        }
        self.cargo("build", &["--keep-going"]);
        for at in 0..programs.len() {
            if bins.join(format!("p{at}.rs")).exists()
                && let Some(why) = self.verdict(at)
            {
                found.push((at, why));
            }
        }
        found.sort();
        found
    }

    /// What is wrong with the binary `at`.
    fn verdict(&self, at: usize) -> Option<String> {
        let binary = self.root.join(format!("target/debug/p{at}"));
        let output = Command::new(binary).output();
        // The old binaries are removed before each build: none means that rustc refused it.
        let Ok(output) = output else {
            return Some("rustc refuses what was emitted".to_owned());
        };
        let _ = fs::remove_file(self.root.join(format!("target/debug/p{at}")));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (!output.status.success()).then_some(text)
    }

    fn manifest(&self) -> String {
        let path = |at: &str| self.workspace.join(at).display().to_string();
        format!(
            "[package]\nname = \"shrink\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\nragged = {{ path = {:?}, features = [\"complex\", \"half\"] }}\n\
             ragged-compiler = {{ path = {:?} }}\nragged-core = {{ path = {:?} }}\n\
             ragged-test-support = {{ path = {:?} }}\n",
            path(""),
            path("compiler"),
            path("core"),
            path("tests/support")
        )
    }

    fn cargo(&self, command: &str, args: &[&str]) {
        let status = Command::new(env!("CARGO"))
            .arg(command)
            .args(args)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.expect("cargo runs");
    }
}

impl Drop for Factory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A binary that checks the program, or why there is none.
fn source(program: &RandomProgram) -> Result<String, String> {
    let text = program.tree.to_string();
    typing::compiles(&text)?;
    let typed = typing::program(&text)?;
    let file = wrap::file(&text, &typed);
    let calls: Vec<String> = program.inputs.iter().map(call).collect();
    Ok(format!(
        "{file}\nfn main() {{\n\
         let text = {text:?};\nlet calls = [{}];\n\
         if let Err(why) = ragged_test_support::random::check::check_text(text, &calls, FUNCTIONS) \
         {{ println!(\"{{why}}\"); std::process::exit(1); }}\n}}\n",
        calls.join(",")
    ))
}

/// An input as the text of a Rust value.
fn call(input: &Input) -> String {
    let args: Vec<String> = input
        .args
        .iter()
        .map(|(name, value)| {
            let text = ragged_test_support::random::check::store(value);
            format!("({name:?}, {text:?})")
        })
        .collect();
    format!("({:?}, vec![{}])", input.function, args.join(","))
}
