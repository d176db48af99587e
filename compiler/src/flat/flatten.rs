//! `shaped` → `flat`.
//!
//! In: bodies that may nest parallel operations. Out: segmented operations over index spaces.
//! Assumes a verified `shaped` program. So far a parallel operation inside the body of another is a
//! limitation that is reported here, at the user's construct.

use crate::flat::ir::{
    Body, Combine, Consumer, Function, Level, Loop, Op, Program, Repr, Seg, Space, Stmt, VarInfo,
};
use crate::report::{Diagnostic, Errors, Report};
use crate::shaped::ir as shaped;
use crate::shaped::ir::{Atom, Extent, VarType};
use crate::shaped::size::Size;
use crate::source::SrcSpan;
use crate::typed::ir::SigType;

/// Flattens every function.
pub fn flatten(program: shaped::Program) -> Result<Program, Report> {
    let mut errors = Errors::default();
    let functions = program
        .functions
        .into_iter()
        .map(|function| flatten_function(function, &mut errors));
    let functions = functions.collect();
    errors.propagate()?;
    Ok(Program {
        structs: program.structs,
        functions,
    })
}

fn flatten_function(function: shaped::Function, errors: &mut Errors) -> Function {
    structs_at_the_border(&function, errors);
    let vars = function.vars.into_iter().map(|info| VarInfo {
        ty: info.ty,
        repr: Repr::Avoided,
        src: info.src,
    });
    let mut pass = Flatten {
        vars: vars.collect(),
        nested: Vec::new(),
        outer: None,
    };
    let body = pass.body(function.body);
    pass.report(errors);
    Function {
        name: function.name,
        ident: function.ident,
        export: function.export,
        params: function.params,
        ret: function.ret,
        body,
        vars: pass.vars,
        checks: function.checks,
        src: function.src,
    }
}

/// A struct that Rust sees holds scalars.
fn structs_at_the_border(function: &shaped::Function, errors: &mut Errors) {
    let params = function.params.iter().map(|param| (&param.ty, param.src));
    let ret = (&function.ret, SrcSpan::token(function.src.last));
    for (ty, src) in params.chain([ret]) {
        if array_in_struct(ty, false) {
            let what = "a struct with an array in it, in an exported function";
            errors.push(
                Diagnostic::unsupported(src, what)
                    .help("take or give its fields one by one, or as a tuple"),
            );
        }
    }
}

fn array_in_struct(ty: &SigType, in_struct: bool) -> bool {
    match ty {
        SigType::Scalar(_) => false,
        SigType::Tuple(fields) => fields.iter().any(|it| array_in_struct(it, in_struct)),
        SigType::Struct(_, fields) => fields.iter().any(|it| array_in_struct(it, true)),
        SigType::Array { elem, .. } => in_struct || array_in_struct(elem, in_struct),
    }
}

struct Flatten {
    vars: Vec<VarInfo>,
    nested: Vec<Nested>,
    /// The parallel operation around this.
    outer: Option<SrcSpan>,
}

/// What may not be inside of a parallel operation.
struct Nested {
    what: &'static str,
    src: SrcSpan,
    outer: SrcSpan,
}

impl Flatten {
    fn body(&mut self, body: shaped::Body) -> Body {
        let stmts = body.stmts.into_iter().map(|stmt| self.stmt(stmt)).collect();
        Body {
            stmts,
            results: body.results,
        }
    }

    fn stmt(&mut self, stmt: shaped::Stmt) -> Stmt {
        for out in &stmt.outs {
            self.vars[out.index()].repr = match self.outer {
                Some(_) => Repr::Regular,
                None => Repr::Avoided,
            };
        }
        Stmt {
            outs: stmt.outs,
            op: self.op(stmt.op, stmt.src),
            src: stmt.src,
        }
    }

    fn op(&mut self, op: shaped::Op, src: SrcSpan) -> Op {
        match op {
            shaped::Op::Scalar(op, args) => Op::Scalar(op, args),
            shaped::Op::Check { ok, id, values } => Op::Check { ok, id, values },
            shaped::Op::Len(array) => Op::Len(array),
            shaped::Op::Read { array, index } => Op::Read { array, index },
            shaped::Op::Literal(elems) => {
                self.only_outside("an array literal", src);
                Op::Literal(elems)
            }
            shaped::Op::Update {
                array,
                index,
                value,
            } => {
                self.only_outside("element assignment", src);
                Op::Update {
                    array,
                    index,
                    value,
                }
            }
            shaped::Op::If { cond, then, else_ } => Op::If {
                cond,
                then: self.body(then),
                else_: self.body(else_),
            },
            shaped::Op::Loop(it) => Op::Loop(Loop {
                params: it.params,
                init: it.init,
                cond: self.body(it.cond),
                body: self.body(it.body),
            }),
            shaped::Op::Par(par) => {
                self.only_outside("an array operation", src);
                Op::Seg(self.seg(par, src))
            }
        }
    }

    fn seg(&mut self, par: shaped::Par, src: SrcSpan) -> Seg {
        let outer = self.outer.replace(src);
        let extent = Extent {
            value: par.extent,
            size: self.size_of(par.extent),
        };
        let level = Level {
            index: par.index,
            extent,
        };
        let body = self.body(par.body);
        let consumer = self.consumer(par.consumer);
        self.outer = outer;
        Seg {
            space: Space {
                levels: vec![level],
            },
            body,
            consumer,
        }
    }

    fn consumer(&mut self, consumer: shaped::Consumer) -> Consumer {
        match consumer {
            shaped::Consumer::Build => Consumer::Build,
            shaped::Consumer::Reduce { init, combine } => Consumer::Reduce {
                init,
                combine: self.combine(combine),
            },
            shaped::Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
            } => Consumer::Scan {
                init,
                combine: self.combine(combine),
                exclusive,
                total,
            },
            shaped::Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => Consumer::Fold {
                init,
                acc,
                elem,
                step: self.body(step),
            },
            shaped::Consumer::Scatter { into, id } => Consumer::Scatter { into, id },
        }
    }

    fn combine(&mut self, combine: shaped::Combine) -> Combine {
        Combine {
            left: combine.left,
            right: combine.right,
            body: self.body(combine.body),
            neutral: combine.neutral,
        }
    }

    /// The size expression of an extent, as far as an array of that extent tells.
    fn size_of(&self, extent: Atom) -> Size {
        let known = self.vars.iter().find_map(|info| match &info.ty {
            VarType::Array(array) => array
                .dims
                .iter()
                .find(|dim| dim.value == extent)
                .map(|dim| dim.size.clone()),
            VarType::Scalar(_) => None,
        });
        known.unwrap_or_default()
    }

    fn only_outside(&mut self, what: &'static str, src: SrcSpan) {
        let Some(outer) = self.outer else {
            return;
        };
        // `xs.map(f).sum()` is one construct to the user: its last operation covers the others.
        self.nested.retain(|other| {
            other.outer.start() != outer.start() || other.src.start() != src.start()
        });
        self.nested.push(Nested { what, src, outer });
    }

    fn report(&mut self, errors: &mut Errors) {
        for Nested { what, src, outer } in self.nested.drain(..) {
            let message = format!("{what} inside a body that is applied to each element");
            let error = Diagnostic::unsupported(src, message)
                .note("nested parallelism is planned; this version compiles one level")
                .help("compute the inner array or value before the outer `for` or `map`");
            errors.push(match src.is_inside(outer) {
                true => error,
                false => error.also(outer, "it is called for each element here"),
            });
        }
    }
}
