//! Times inside rustc, from crates that are generated in the target folder and built against
//! `ragged`.

use crate::blocks::Block;
use crate::{CALLS, MOST_ROUNDS, ROUNDS, Times, holds};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use std::{env, fs, io};

/// Copies of a block in the crate that is checked.
const COPIES: usize = 20;
/// Functions in the crate that is built for release.
const FUNCTIONS: usize = 24;

/// Functions of one to two kernels.
const KERNELS: [&str; 3] = [
    "pub fn f(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }",
    "pub fn f(xs: [f64; n]) -> [f64; n] { for x in xs { exp(-x * x) / (1.0 + abs(x)) } }",
    "pub fn f(xs: [i32; n], ix: [usize]) -> [i32] { xs.scan(|a, b| a + b).gather(ix) }",
];

/// A macro that measures the compiler on its input, and expands to nothing. And beside it how fast the
/// machine is, by what nobody here changes: `syn`, as unoptimised, reads functions.
const TIMER: &str = "
fn lex(text: &str) -> proc_macro2::TokenStream {
    text.parse::<proc_macro::TokenStream>().expect(\"tokens\").into()
}

fn sorted(mut call: impl FnMut()) -> Vec<u128> {
    let mut times: Vec<u128> = (0..CALLS).map(|_| {
        let start = cpu_time::ThreadTime::now();
        call();
        start.elapsed().as_nanos()
    }).collect();
    times.sort_unstable();
    times
}

#[proc_macro]
pub fn timed(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let block: proc_macro2::TokenStream = input.into();
    let times = sorted(|| {
        drop(proc_macro::TokenStream::from(ragged_compiler::expand_with(block.clone(), lex)));
    });
    let functions = lex(&YARDSTICK.repeat(20));
    let yardstick = sorted(|| drop(syn::parse2::<syn::File>(functions.clone()).expect(\"functions\")));
    eprintln!(\"budget {} {} {}\", times[CALLS / 2], times[0], yardstick[0]);
    proc_macro::TokenStream::new()
}
";

/// A function, for the yardstick.
const YARDSTICK: &str = "fn f(a: u32, b: [f64; 4]) -> u32 {\
    let c = a * 2 + 1; if c > 3 { g(b.map(|x| x + 1.0), a) } else { h(&[a, c], (b, a)) } }";

/// What is built, and how.
#[derive(Clone, Copy)]
enum Profile {
    Check,
    Release,
}

/// The generated crates; their dependencies are built.
pub struct Inside {
    folder: PathBuf,
}

impl Inside {
    /// Generates them, and builds what they depend on.
    pub fn new() -> io::Result<Inside> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()?;
        let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let folder = target.unwrap_or_else(|| root.join("target")).join("budget");
        let timer = folder.join("timer");
        fs::create_dir_all(folder.join("src"))?;
        fs::create_dir_all(timer.join("src"))?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let depends = format!(
            "[workspace]\nmembers = [\"timer\"]\n\n[dependencies]\nbudget-timer = {{ path = \"timer\" }}\n\
             ragged = {{ path = {root:?}, default-features = false }}\n"
        );
        fs::write(
            folder.join("Cargo.toml"),
            package("budget-scratch") + &depends,
        )?;
        let compiler = root.join("compiler");
        let depends = format!(
            "[lib]\nproc-macro = true\n\n[dependencies]\ncpu-time = \"1\"\nproc-macro2 = \"1\"\n\
             ragged-compiler = {{ path = {compiler:?} }}\nsyn = {{ version = \"3\", features = [\"full\"] }}\n"
        );
        fs::write(timer.join("Cargo.toml"), package("budget-timer") + &depends)?;
        let calls =
            format!("const CALLS: usize = {CALLS};\nconst YARDSTICK: &str = {YARDSTICK:?};\n");
        fs::write(timer.join("src/lib.rs"), calls + TIMER)?;
        let inside = Inside { folder };
        inside.build("", Profile::Check)?;
        inside.build("", Profile::Release)?;
        Ok(inside)
    }

    /// Of the unoptimised macro on each block, as rustc runs it.
    /// And the yardstick's time.
    pub fn macro_times(&self, blocks: &[Block]) -> io::Result<(Vec<Times>, Duration)> {
        let (mut best, mut yardstick) = self.macro_round(blocks)?;
        for round in 1..MOST_ROUNDS {
            if round >= ROUNDS && best.iter().all(|times| holds(*times, yardstick)) {
                break;
            }
            let (times, again) = self.macro_round(blocks)?;
            yardstick = yardstick.min(again);
            for (best, times) in best.iter_mut().zip(times) {
                if times.median < best.median {
                    *best = times;
                }
            }
        }
        Ok((best, yardstick))
    }

    fn macro_round(&self, blocks: &[Block]) -> io::Result<(Vec<Times>, Duration)> {
        let calls = blocks
            .iter()
            .map(|block| format!("budget_timer::timed! {{ {} }}\n", block.text));
        let output = self.build(&fresh(&calls.collect::<String>()), Profile::Check)?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines = text.lines().filter_map(|line| line.strip_prefix("budget "));
        let (times, yardsticks): (Vec<Times>, Vec<Duration>) = lines.filter_map(read).unzip();
        match yardsticks.into_iter().min() {
            Some(yardstick) if times.len() == blocks.len() => Ok((times, yardstick)),
            _ => Err(io::Error::other(format!("no times from rustc:\n{text}"))),
        }
    }

    /// Of `cargo check` for one copy of a block: macro, and type checking of what it gives.
    pub fn check_time(&self, block: &Block) -> io::Result<Duration> {
        let texts = vec![block.text.as_str(); COPIES];
        Ok(self.more_than_nothing(&texts, Profile::Check)? / COPIES as u32)
    }

    /// Of a release build of a block and what calls its function, without the time of an empty crate.
    pub fn release_time(&self, block: &Block, call: &str) -> io::Result<Duration> {
        let text = format!("ragged::accel! {{ {} }}\n{call}", block.text);
        let none = self.time("", Profile::Release)?;
        Ok(self.time(&text, Profile::Release)?.saturating_sub(none))
    }

    /// Of a release build, for one exported function.
    pub fn build_time(&self) -> io::Result<Duration> {
        let texts: Vec<&str> = KERNELS.into_iter().cycle().take(FUNCTIONS).collect();
        Ok(self.more_than_nothing(&texts, Profile::Release)? / FUNCTIONS as u32)
    }

    /// How much longer it takes with a module for each of these blocks.
    fn more_than_nothing(&self, texts: &[&str], profile: Profile) -> io::Result<Duration> {
        let mut modules = String::new();
        for (at, text) in texts.iter().enumerate() {
            let _ = writeln!(modules, "pub mod m{at} {{ ragged::accel! {{ {text} }} }}");
        }
        let none = self.time("", profile)?;
        Ok(self.time(&modules, profile)?.saturating_sub(none))
    }

    fn time(&self, text: &str, profile: Profile) -> io::Result<Duration> {
        let text = fresh(text);
        let start = Instant::now();
        self.build(&text, profile)?;
        Ok(start.elapsed())
    }

    fn build(&self, text: &str, profile: Profile) -> io::Result<Output> {
        fs::write(self.folder.join("src/lib.rs"), text)?;
        let arguments: &[&str] = match profile {
            Profile::Check => &["check", "--quiet", "--offline"],
            Profile::Release => &["build", "--quiet", "--offline", "--release"],
        };
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .output()?;
        if output.status.success() {
            return Ok(output);
        }
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(io::Error::other(format!(
            "the generated crate does not compile:\n{errors}"
        )))
    }
}

/// As a text that was not built before, so that cargo does all of its work.
fn fresh(text: &str) -> String {
    format!("{text}\n// {:?}\n", Instant::now())
}

fn package(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n")
}

/// Median, fastest and the yardstick's, as the timer prints them.
fn read(line: &str) -> Option<(Times, Duration)> {
    let mut times = line
        .split(' ')
        .map(|nanos| nanos.parse().ok().map(Duration::from_nanos));
    let times_of_block = Times {
        median: times.next()??,
        fastest: times.next()??,
    };
    Some((times_of_block, times.next()??))
}
