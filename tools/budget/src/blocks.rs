//! The typical blocks: those of the examples, of the README, and a few of other shapes.

/// A block of 10 to 40 lines, as written between the braces of `accel! { … }`.
pub struct Block {
    /// What it is called in the report.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

impl Block {
    /// Lines with code in them.
    pub fn lines(&self) -> usize {
        let lines = self.text.lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count()
    }

    /// Exported functions.
    pub fn functions(&self) -> usize {
        self.text.matches("pub fn ").count()
    }
}

/// All of them.
pub fn blocks() -> Vec<Block> {
    let of = |name, file| Block {
        name,
        text: block_of(file),
    };
    vec![
        of(
            "black_scholes",
            include_str!("../../../examples/black_scholes.rs"),
        ),
        of(
            "mandelbrot",
            include_str!("../../../examples/mandelbrot.rs"),
        ),
        Block {
            name: "tour, part 1",
            text: tour(0),
        },
        Block {
            name: "tour, part 2",
            text: tour(1),
        },
        Block {
            name: "tour, part 3",
            text: tour(2),
        },
        Block {
            name: "tour, part 4",
            text: tour(3),
        },
        Block {
            name: "statistics",
            text: STATISTICS.to_owned(),
        },
        Block {
            name: "particles",
            text: PARTICLES.to_owned(),
        },
    ]
}

/// The text between the braces of the first `accel! { … }` of a file.
pub fn block_of(file: &str) -> String {
    let (_, rest) = file
        .split_once("accel! {\n")
        .expect("the example has a block");
    let (block, _) = rest.split_once("\n}\n").expect("the block ends");
    block.to_owned()
}

/// Part 0 to 3 of the tour, whose block is longer than a typical one: two to four functions each.
fn tour(part: usize) -> String {
    let block = block_of(include_str!("../../../examples/tour.rs"));
    let cut = |start: &str| block.find(start).expect("the tour has this function");
    let starts = [
        "    /// Growth over",
        "    /// Least-squares",
        "    /// The longest run",
    ];
    let [first, second, third] = starts.map(cut);
    let parts = [
        &block[..first],
        &block[first..second],
        &block[second..third],
        &block[third..],
    ];
    parts[part].to_owned()
}

const STATISTICS: &str = "
pub fn variance(xs: [f64; n]) -> f64 {
    let mean = xs.mean();
    xs.map(|x| (x - mean) * (x - mean)).sum() / n as f64
}
pub fn covariance(xs: [f64; n], ys: [f64; n]) -> f64 {
    let (mx, my) = (xs.mean(), ys.mean());
    zip(xs, ys).map(|(x, y)| (x - mx) * (y - my)).sum() / n as f64
}
pub fn standardised(xs: [f64; n]) -> [f64; n] {
    let mean = xs.mean();
    let spread = sqrt(xs.map(|x| (x - mean) * (x - mean)).mean());
    xs.map(|x| (x - mean) / spread)
}
pub fn histogram(xs: [f64], bins: usize) -> [u32] {
    let (lo, hi) = (xs.min(), xs.max());
    let bin = for x in xs { min(((x - lo) / (hi - lo) * bins as f64) as usize, bins - 1) };
    let mut counts = [0; bins];
    for b in bin { counts[b] += 1; }
    counts
}
";

const PARTICLES: &str = "
struct Particle { x: f32, y: f32, vx: f32, vy: f32, mass: f32 }
const GRAVITY: f32 = 9.81;
fn bounce(at: f32, speed: f32) -> (f32, f32) {
    if at < 0.0 { (-at, -0.9 * speed) } else { (at, speed) }
}
pub fn step(ps: [Particle; n], dt: f32) -> [Particle; n] {
    for p in ps {
        let vy = p.vy - dt * GRAVITY;
        let (y, vy) = bounce(p.y + dt * vy, vy);
        Particle { x: p.x + dt * p.vx, y, vy, ..p }
    }
}
pub fn energy(ps: [Particle]) -> f32 {
    for p in ps { p.mass * (GRAVITY * p.y + 0.5 * (p.vx * p.vx + p.vy * p.vy)) }.sum()
}
pub fn centre(ps: [Particle]) -> (f32, f32) {
    let mass = ps.map(|p| p.mass).sum();
    (ps.map(|p| p.mass * p.x).sum() / mass, ps.map(|p| p.mass * p.y).sum() / mass)
}
";
