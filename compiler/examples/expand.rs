//! Prints what a block expands to: `cargo run -p ragged-compiler --example expand FILE`, the file
//! holding the text between the braces of `accel! { … }`. For work on the compiler.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: expand FILE")?;
    let block = std::fs::read_to_string(path)?.parse()?;
    let start = std::time::Instant::now();
    let tokens = ragged_compiler::expand(block);
    let time = start.elapsed();
    println!("{tokens}");
    eprintln!("{:.2} ms", time.as_secs_f64() * 1e3);
    Ok(())
}
