//! Programs on plain arrays and on numbers.

ragged::accel! {
    pub fn dot_f32(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }
    pub fn dot_f64(xs: [f64; n], ys: [f64; n]) -> f64 { zip(xs, ys).map(|(x, y)| x * y).sum() }
    pub fn iota_square_sum(n: u64) -> f64 { (0..n).map(|i| i as f64 * i as f64).sum() }
    #[fast]
    pub fn iota_square_sum_fast(n: u64) -> f64 { (0..n).map(|i| i as f64 * i as f64).sum() }
    pub fn scan_f64(xs: [f64; n]) -> [f64; n] { xs.scan(|a, b| a + b) }
    pub fn scan_f32(xs: [f32; n]) -> [f32; n] { xs.scan(|a, b| a + b) }
    pub fn scan_i32(xs: [i32; n]) -> [i32; n] { xs.scan(|a, b| a + b) }
    pub fn affine(xs: [f32; n]) -> [f32; n] { for x in xs { x * 2.0 + 1.0 } }

    const RISKFREE: f32 = 0.02;
    const VOLATILITY: f32 = 0.30;

    fn normal(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * abs(d));
        let p = k * (0.31938154 + k * (-0.35656378
            + k * (1.7814779 + k * (-1.821256 + k * 1.3302745))));
        let tail = 0.3989423 * exp(-0.5 * d * d) * p;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

    fn price(s: f32, x: f32, t: f32) -> (f32, f32) {
        let deviation = VOLATILITY * sqrt(t);
        let d1 = (ln(s / x) + (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * t) / deviation;
        let d2 = d1 - deviation;
        let below1 = normal(d1);
        let below2 = normal(d2);
        let discounted = x * exp(-RISKFREE * t);
        (s * below1 - discounted * below2, discounted * (1.0 - below2) - s * (1.0 - below1))
    }

    pub fn black_scholes(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> [(f32, f32); n] {
        zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t))
    }

    #[fast]
    pub fn black_scholes_fast(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> [(f32, f32); n] {
        zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t))
    }

    pub fn black_scholes_apart(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> ([f32; n], [f32; n]) {
        zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t)).unzip()
    }

    pub fn mandelbrot(width: usize, height: usize, limit: i32) -> [i32] {
        let dx = 3.5 / width as f32;
        let dy = 2.0 / height as f32;
        for at in 0..width * height {
            let cx = -2.5 + (at % width) as f32 * dx;
            let cy = -1.0 + (at / width) as f32 * dy;
            let mut x = 0.0;
            let mut y = 0.0;
            let mut n = 0;
            while n < limit && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                n += 1;
            }
            n
        }
    }
}
