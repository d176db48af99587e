use ragged_compiler::syntax;

#[test]
fn smoke() {
    let text = r#"
    /// Inner product.
    pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 {
        zip(xs, ys).map(|(x, y)| x * y).sum()
    }
    pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
        for row in rows { sum(for (j, a) in row { a * v[j] }) }
    }
    pub fn norms(ms: Seq<[[f32; k]; n]>) -> Seq<[f32; n]> {
        ms.map(|m| for row in m { sqrt(dotp(row, row)) })
    }
    fn t(xs: [f32]) -> f32 { for x in xs { x }.sum() }
    "#;
    let parsed = syntax::parse(text.parse().unwrap());
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    println!("{:#?}", parsed.program.units[0].functions[3].body);
}
