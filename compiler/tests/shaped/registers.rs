//! Small arrays in bodies as scalars.

use super::check;

#[test]
fn sums_go_by_halves() {
    check(
        r#"
        pub fn f(ps: [[f32; 3]; n]) -> [f32; n] {
            for p in ps { let mut q = p; q[0] = 1.0; q.sum() }
        }
        "#,
        r#"
        f(ps: %2: [[f32; 3]; n]) -> [f32; n]
          %1: usize = len %2 axis 1
          %0: usize = len %2
          %3: bool = eq 3, %1
          check %3 <sizes of the type [_; 3] and axis 1 of ps> (3, %1)
          %15: [f32; n] = build %4 < %0 {
            %16: f32 = %2[%4, 0]
            %17: f32 = %2[%4, 1]
            %18: f32 = %2[%4, 2]
            %19: f32 = add 1.0, %18
            %20: f32 = add %19, %17
            %21: f32 = add 0.0, %20
            yield %21
          }
          return %15
        "#,
    );
}

#[test]
fn state_and_rows() {
    check(
        r#"
        pub fn f(xs: [i32; n], ks: [usize; n]) -> [[i32; 2]; n] {
            for (x, k) in zip(xs, ks) {
                let mut q = [x, 7];
                for _ in 0..30 { q = [q[1], q[k]]; }
                q
            }
        }
        "#,
        r#"
        f(xs: %1: [i32; n]; ks: %3: [usize; n]) -> [[i32; 2]; n]
          %0: usize = len %1
          %2: usize = len %3
          %4: bool = eq %0, %2
          check %4 <sizes of xs and ks> (%0, %2)
          %26: [i32; n], %27: [i32; n] = build %5 < %0 {
            %6: i32 = %1[%5]
            %7: usize = %3[%5]
            %24: i32, %25: i32, %18: usize = loop (%20: i32 = %6, %21: i32 = 7, %10: usize = 0) while {
              %11: bool = lt %10, 30
              yield %11
            } do {
              %13: bool = lt %7, 2
              check %13 <index> (%7, 2)
              %22: bool = eq %7, 0
              %23: i32 = select %22, %20, %21
              %16: usize = add %10, 1
              next %21, %23, %16
            }
            yield %24, %25
          }
          %19: [[i32; 2]; n] = build %28 < %0 {
            %30: [i32; 2] = build %29 < 2 {
              %31: i32 = %26[%28]
              %32: i32 = %27[%28]
              %33: bool = eq %29, 0
              %34: i32 = select %33, %31, %32
              yield %34
            }
            yield %30
          }
          return %19
        "#,
    );
}

#[test]
fn rows_in_memory_stay() {
    check(
        r#"
        pub fn f(ps: [[f32; 3]; n]) -> [f32; n] { ps.map(|p| p.sum()) }
        pub fn g(ps: [[f32; 3]; n]) -> [[f32; 3]; n] { for p in ps { for x in p { 2.0 * x } } }
        "#,
        r#"
        f(ps: %2: [[f32; 3]; n]) -> [f32; n]
          %1: usize = len %2 axis 1
          %0: usize = len %2
          %3: bool = eq 3, %1
          check %3 <sizes of the type [_; 3] and axis 1 of ps> (3, %1)
          %11: [f32; n] = build %4 < %0 {
            %10: f32 = reduce from 0.0 %5 < 3 {
              %6: f32 = %2[%4, %5]
              yield %6
            } by (%7; %8) neutral -0.0 {
              %9: f32 = add %7, %8
              yield %9
            }
            yield %10
          }
          return %11
        g(ps: %2: [[f32; 3]; n]) -> [[f32; 3]; n]
          %1: usize = len %2 axis 1
          %0: usize = len %2
          %3: bool = eq 3, %1
          check %3 <sizes of the type [_; 3] and axis 1 of ps> (3, %1)
          %9: [[f32; 3]; n] = build %4 < %0 {
            %8: [f32; 3] = build %5 < 3 {
              %6: f32 = %2[%4, %5]
              %7: f32 = mul 2.0, %6
              yield %7
            }
            yield %8
          }
          return %9
        "#,
    );
}
