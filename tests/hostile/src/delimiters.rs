//! All three delimiters, and several blocks in one module.

ragged::accel! {
    /// In braces.
    pub fn braces(xs: [f32]) -> f32 { xs.sum() }
}

ragged::accel!(
    /// In parentheses.
    pub fn parentheses(xs: [f32]) -> f32 {
        xs.sum()
    }
);

ragged::accel![
    /// In brackets.
    pub fn brackets(xs: [f32]) -> f32 {
        xs.sum()
    }
];

ragged::accel! {}

#[test]
fn run() {
    let xs = [1.0, 2.0];
    assert_eq!(braces(&xs), Ok(3.0));
    assert_eq!(parentheses(&xs), Ok(3.0));
    assert_eq!(brackets(&xs), Ok(3.0));
}
