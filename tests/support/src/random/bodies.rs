//! Matches, blocks, loops over scalar state.

use super::scalars::{BOOL, U32, expr, literal_text};
use super::state::{Place, State};
use super::tree::{Node, Part, Ty};
use super::{Hazard, dense, ragged, rows};
use crate::literal::integer;
use crate::parts;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::Scalar;

/// A `match` of a small integer.
pub fn match_(s: &mut State, ty: &Ty) -> Node {
    let of = *s
        .rng
        .pick(&[Scalar::I32, Scalar::U8, Scalar::I64, Scalar::Usize]);
    let of_ty = Ty::Scalar(of);
    let scrutinee = expr(s, &of_ty);
    let mut made = parts!["(match ", scrutinee, " { "];
    for _ in 0..1 + s.rng.below(3) {
        let pattern = pattern(s, of);
        let name = s.name();
        let arm = s.scoped(|s| {
            s.bind(&name, &of_ty, None, false);
            let guard = s.rng.chance(1, 4).then(|| expr(s, &BOOL));
            let value = expr(s, ty);
            let mut arm = parts![name.as_str(), " @ (", pattern, ")"];
            if let Some(guard) = guard {
                arm.extend(parts![" if ", guard]);
            }
            arm.extend(parts![" => ", value, ", "]);
            arm
        });
        made.push(Node::optional(arm).into());
    }
    let last = s.scoped(|s| expr(s, ty));
    made.extend(parts!["_ => ", last, " })"]);
    Node::expr(ty, made)
}

fn pattern(s: &mut State, of: Scalar) -> String {
    let number = |s: &mut State| {
        let lo = if of.is_signed_int() { -4 } else { 0 };
        lo + s.rng.below(9) as i128
    };
    let text = |number| {
        let text = literal_text(&Value::Scalar(integer(number, of)));
        text.replace(['(', ')'], "")
    };
    let (a, b) = (number(s), number(s));
    match s.rng.below(4) {
        0 => text(a),
        1 => format!("{} | {}", text(a), text(b)),
        2 => format!("{}..={}", text(a.min(b)), text(a.max(b))),
        _ => format!("{}..", text(a)),
    }
}

/// `{ let v = …; e }`
pub fn with_lets(s: &mut State, ty: &Ty) -> Node {
    s.scoped(|s| {
        let mut made = parts!["{ "];
        for _ in 0..1 + s.rng.below(2) {
            made.push(let_(s).into());
        }
        if s.risk(Hazard::Assert) {
            let assert = parts!["assert!(", expr(s, &BOOL), ", \"random\"); "];
            made.push(Node::optional(assert).into());
        }
        made.extend(parts![expr(s, ty), " }"]);
        Node::expr(ty, made)
    })
}

/// `let v = …;`
pub fn let_(s: &mut State) -> Node {
    if s.ragged
        && s.place != Place::Body
        && s.budget > 0
        && s.rng.chance(1, 4)
        && let Some(node) = ragged::let_alike(s)
    {
        return node;
    }
    let ty = s.local();
    let value = expr(s, &ty);
    let name = s.name();
    if let Ty::Tuple(parts) = &ty
        && s.rng.chance(1, 2)
    {
        let names: Vec<String> = parts.iter().map(|_| s.name()).collect();
        for (name, part) in names.iter().zip(parts) {
            s.bind(name, part, None, false);
        }
        let pattern = format!("let ({}) = ", names.join(", "));
        return Node::optional(parts![pattern, value, "; "]);
    }
    s.bind(&name, &ty, None, false);
    Node::optional(parts![
        "let ",
        name.as_str(),
        ": ",
        ty.without_sizes(),
        " = ",
        value,
        "; "
    ])
}

/// `{ let mut state = …; loop; state }` with a bounded number of trips.
pub fn with_loop(s: &mut State, ty: &Ty) -> Node {
    if s.loops >= 2 {
        return expr(s, ty);
    }
    s.scoped(|s| {
        let (state, other) = (s.name(), s.name());
        let other_ty = s.local();
        let (init, other_init) = (expr(s, ty), expr(s, &other_ty));
        s.bind(&state, ty, None, true);
        s.bind(&other, &other_ty, None, true);
        let made = parts![
            "{ let mut ",
            state.as_str(),
            ": ",
            ty.without_sizes(),
            " = ",
            init,
            "; ",
            Node::optional(parts![
                "let mut ",
                other.as_str(),
                ": ",
                other_ty.without_sizes(),
                " = ",
                other_init,
                "; "
            ]),
            loop_(s),
            state.as_str(),
            " }"
        ];
        Node::expr(ty, made)
    })
}

/// A loop statement over the names that can be assigned.
pub fn loop_(s: &mut State) -> Node {
    s.loops += 1;
    let trips = 1 + s.rng.below(5);
    let label = s.name();
    let made = s.scoped(|s| {
        let counter = s.name();
        let (counter_name, kind) = (counter.as_str(), s.rng.below(3));
        match kind {
            0 => {
                let hi = if s.rng.chance(1, 2) {
                    parts![format!("{trips}u32")]
                } else {
                    parts!["(", expr(s, &U32), &*format!(" % {}u32)", trips + 1)]
                };
                s.bind(counter_name, &U32, None, false);
                let mut made = parts![format!("'{label}: for {counter_name} in 0u32..")];
                made.extend(hi);
                made.extend(parts![" { "]);
                made.extend(statements(s, &label));
                made.extend(parts!["} "]);
                made
            }
            1 => {
                s.bind(counter_name, &U32, None, false);
                let cond = expr(s, &BOOL);
                let mut made = parts![
                    format!(
                        "let mut {counter_name} = 0u32; '{label}: while {counter_name} < {trips}u32 && "
                    ),
                    cond,
                    format!(" {{ {counter_name} += 1u32; ")
                ];
                made.extend(statements(s, &label));
                made.extend(parts!["} "]);
                made
            }
            _ => {
                s.bind(counter_name, &U32, None, false);
                let mut made = parts![format!(
                    "let mut {counter_name} = 0u32; '{label}: loop {{ {counter_name} += 1u32; \
                     if {counter_name} > {trips}u32 {{ break; }} "
                )];
                made.extend(statements(s, &label));
                made.extend(parts!["} "]);
                made
            }
        }
    });
    s.loops -= 1;
    Node::optional(made)
}

fn statements(s: &mut State, label: &str) -> Vec<Part> {
    s.scoped(|s| {
        let mut made = Vec::new();
        for _ in 0..1 + s.rng.below(3) {
            made.push(Part::Node(statement(s, label)));
        }
        made
    })
}

fn statement(s: &mut State, label: &str) -> Node {
    let targets: Vec<_> = s
        .scope
        .iter()
        .filter(|var| var.assignable)
        .cloned()
        .collect();
    let targets: Vec<_> = targets
        .into_iter()
        .filter(|var| match var.ty {
            Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) => true,
            Ty::Array(_) => s.ragged && s.place != Place::Body,
            Ty::Dense(..) => s.place != Place::Body,
        })
        .collect();
    if targets.is_empty() {
        return let_(s);
    }
    match s.rng.below(8) {
        0 => {
            let leave = *s.rng.pick(&["break", "continue", "break '", "continue '"]);
            let target = if leave.ends_with('\'') { label } else { "" };
            let cond = expr(s, &BOOL);
            Node::optional(parts!["if ", cond, " { ", leave, target, "; } "])
        }
        1 if s.budget > 0 => let_(s),
        2 if s.budget > 0 && s.loops < 2 => loop_(s),
        3 => {
            let cond = expr(s, &BOOL);
            let (a, b) = (assign(s, &targets), assign(s, &targets));
            Node::optional(parts!["if ", cond, " { ", a, "} else { ", b, "} "])
        }
        _ => assign(s, &targets),
    }
}

fn assign(s: &mut State, targets: &[super::state::Var]) -> Node {
    let target = s.rng.pick(targets).clone();
    if let Ty::Dense(dims, elem) = &target.ty
        && s.rng.chance(3, 4)
    {
        return dense::put(s, &target.name, dims, elem);
    }
    if let Ty::Array(_) = &target.ty
        && !target.ty.levels().1.holds_arrays()
        && (s.loops > 1 || s.rng.chance(1, 2))
    {
        return rows::put(s, &target.name, &target.ty);
    }
    if let Ty::Tuple(parts) = &target.ty
        && s.rng.chance(1, 2)
    {
        let at = s.rng.below(parts.len());
        let value = next(s, &parts[at]);
        return Node::optional(parts![format!("{}.{at} = ", target.name), value, "; "]);
    }
    let value = next(s, &target.ty);
    Node::optional(parts![target.name.as_str(), " = ", value, "; "])
}

/// The next state of a loop: arrays of any length are cut, so that they do not grow with each trip.
fn next(s: &mut State, ty: &Ty) -> Node {
    let value = expr(s, ty);
    match ty {
        Ty::Array(_) => {
            let most = 1 + s.rng.below(40);
            Node::fixed(parts![value, format!(".take({most}usize)")])
        }
        Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) | Ty::Dense(..) => value,
    }
}
