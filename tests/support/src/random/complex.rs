//! Complex numbers, and real numbers made of them.

use super::arrays::array;
use super::scalars::{composed, expr, read};
use super::state::State;
use super::tree::{Node, Ty};
use crate::parts;
use ragged_compiler::prims::{COMPLEX_FNS, Scalar};

/// An expression of type `ty`, whose components are of type `part`.
pub fn complex(s: &mut State, part: Scalar, ty: &Ty) -> Node {
    let vars = s.vars(ty);
    if !vars.is_empty() && (s.budget <= 0 || s.rng.chance(1, 4)) {
        return Node::expr(ty, parts![s.rng.pick(&vars).name.as_str()]);
    }
    let real = Ty::Scalar(part);
    if s.budget <= 0 {
        return pair(s, &real, ty);
    }
    match s.rng.below(10) {
        0 => composed(s, ty),
        1 => read(s, ty),
        2 | 3 => {
            let op = *s.rng.pick(&[" + ", " - ", " * ", " / "]);
            Node::expr(ty, parts!["(", expr(s, ty), op, expr(s, ty), ")"])
        }
        4 => {
            let op = *s.rng.pick(&[" + ", " - ", " * ", " / "]);
            let (number, other) = (expr(s, ty), expr(s, &real));
            let other = parts!["(", other, " as ", part.name(), ")"];
            let mut made = parts!["("];
            match s.rng.chance(1, 2) {
                true => {
                    made.extend(parts![number, op]);
                    made.extend(other);
                }
                false => {
                    made.extend(other);
                    made.extend(parts![op, number]);
                }
            }
            made.extend(parts![")"]);
            Node::expr(ty, made)
        }
        5 => Node::expr(ty, parts!["(-", expr(s, ty), ")"]),
        6 | 7 => function(s, true, ty, ty),
        8 if s.may_operate() => {
            let name = *s.rng.pick(&[".sum()", ".product()"]);
            Node::expr(ty, parts![array(s, ty).node, name])
        }
        _ => pair(s, &real, ty),
    }
}

fn pair(s: &mut State, real: &Ty, ty: &Ty) -> Node {
    let (re, im) = (expr(s, real), expr(s, real));
    let name = real.to_string();
    Node::expr(
        ty,
        parts![
            "complex((",
            re,
            " as ",
            name.clone(),
            "), (",
            im,
            " as ",
            name,
            "))"
        ],
    )
}

/// A real number of type `ty` made of a complex one.
pub fn part(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    let of = Ty::Complex(scalar);
    match s.rng.below(3) {
        0 => {
            let field = *s.rng.pick(&[".re", ".im"]);
            Node::expr(ty, parts!["(", expr(s, &of), ")", field])
        }
        _ => function(s, false, &of, ty),
    }
}

/// A call of a function of complex numbers.
fn function(s: &mut State, gives_complex: bool, of: &Ty, ty: &Ty) -> Node {
    let functions = COMPLEX_FNS.iter();
    let functions: Vec<_> = functions
        .filter(|it| it.op.gives_complex() == gives_complex)
        .collect();
    let name = s.rng.pick(&functions).name;
    let z = expr(s, of);
    match s.rng.chance(1, 2) {
        true => Node::expr(ty, parts!["(", z, ").", name, "()"]),
        false => Node::expr(ty, parts![name, "(", z, ")"]),
    }
}
