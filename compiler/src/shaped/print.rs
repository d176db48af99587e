//! The representation as text, for tests and for people.

use super::ir::{
    ArrayType, Atom, Body, Combine, Consumer, Function, Loop, Op, Par, Program, Stmt, VarType,
};
use super::size::Size;
use crate::checks::CheckKind;
use crate::ids::{CheckId, Var};
use crate::prims::Scalar;
use crate::typed::ir::Const;
use std::fmt::{self, Write};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.functions
            .iter()
            .try_for_each(|function| write!(f, "{function}"))
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer {
            function: self,
            out: String::new(),
            depth: 1,
        };
        printer.function();
        f.write_str(&printer.out)
    }
}

/// A scalar constant as the user would write it.
pub fn constant(constant: Const) -> String {
    let bits = constant.bits;
    match constant.ty {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => (bits as i64).to_string(),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => bits.to_string(),
        Scalar::F16 | Scalar::Bf16 | Scalar::F32 => {
            format!("{:?}", constant.ty.float_value(bits) as f32)
        }
        Scalar::F64 => format!("{:?}", f64::from_bits(bits)),
    }
}

struct Printer<'f> {
    function: &'f Function,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn function(&mut self) {
        let function = self.function;
        let params = function.params.iter().map(|param| {
            let vars = param.vars.iter().map(|var| self.declared(*var));
            format!("{}: {}", param.name, vars.collect::<Vec<_>>().join(", "))
        });
        let params = params.collect::<Vec<_>>().join("; ");
        let results = function
            .body
            .results
            .iter()
            .map(|atom| self.atom_type(*atom));
        let results = results.collect::<Vec<_>>().join(", ");
        self.text(&format!(
            "{}({params}) -> {results}\n",
            function.export.name
        ));
        self.body(&function.body, "return");
    }

    fn body(&mut self, body: &Body, yields: &str) {
        body.stmts.iter().for_each(|stmt| self.stmt(stmt));
        if !body.results.is_empty() {
            let results = atoms(&body.results);
            self.line(&format!("{yields} {results}"));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let outs = stmt
            .outs
            .iter()
            .map(|out| self.declared(*out))
            .collect::<Vec<_>>()
            .join(", ");
        self.indent();
        if !outs.is_empty() {
            self.text(&format!("{outs} = "));
        }
        self.op(&stmt.op);
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Scalar(op, args) => self.end(&format!("{op:?} {}", atoms(args)).to_lowercase()),
            Op::Check { ok, id, values } => {
                let values = atoms(values);
                let text = format!("check {} {} ({values})", atom(*ok), self.check(*id));
                self.end(&text);
            }
            Op::Len { array, axis: 0 } => self.end(&format!("len {array}")),
            Op::Len { array, axis } => self.end(&format!("len {array} axis {axis}")),
            Op::Read { array, index } => self.end(&format!("{array}[{}]", atoms(index))),
            Op::Literal(elems) => self.end(&format!("[{}]", atoms(elems))),
            Op::Update {
                array,
                index,
                value,
            } => {
                self.end(&format!("{array} with [{}] {}", atoms(index), atom(*value)));
            }
            Op::If { cond, then, else_ } => {
                self.nested(&format!("if {}", atom(*cond)), then, "yield");
                self.nested("else", else_, "yield");
                self.end("");
            }
            Op::Loop(it) => self.loop_op(it),
            Op::Par(par) => self.par(par),
        }
    }

    fn loop_op(&mut self, it: &Loop) {
        let params = it.params.iter().zip(&it.init);
        let params: Vec<String> = params
            .map(|(param, init)| format!("{} = {}", self.declared(*param), atom(*init)))
            .collect();
        self.nested(
            &format!("loop ({}) while", params.join(", ")),
            &it.cond,
            "yield",
        );
        self.nested("do", &it.body, "next");
        self.end("");
    }

    fn par(&mut self, par: &Par) {
        let consumer = match &par.consumer {
            Consumer::Build => "build".to_owned(),
            Consumer::Rows { offsets } => format!("build rows at {}", vars(offsets)),
            Consumer::Reduce { init, combine } => {
                let from = if combine.goes_on { "on" } else { "from" };
                format!("reduce {from} {}", atoms(init))
            }
            Consumer::Scan {
                init,
                exclusive,
                total,
                ..
            } => {
                let kind = if *exclusive { "exclusive" } else { "inclusive" };
                let total = if *total { " with total" } else { "" };
                let from = init
                    .as_ref()
                    .map_or(String::new(), |it| format!(" from {}", atoms(it)));
                format!("scan {kind}{total}{from}")
            }
            Consumer::Fold { init, .. } => format!("fold from {}", atoms(init)),
            Consumer::Scatter { into, id } => {
                format!("scatter into {} {}", vars(into), self.check(*id))
            }
            Consumer::Sort(sorted) => sorted.verb().to_owned(),
        };
        let head = format!("{consumer} {} < {}", par.index, atom(par.extent));
        self.nested(&head, &par.body, "yield");
        match &par.consumer {
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {}
            Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                self.combine(combine);
            }
            Consumer::Fold {
                acc, elem, step, ..
            } => {
                self.nested(
                    &format!("step ({}; {})", vars(acc), vars(elem)),
                    step,
                    "yield",
                );
            }
        }
        self.end("");
    }

    fn combine(&mut self, combine: &Combine) {
        let neutral = combine.neutral.as_ref().map_or(String::new(), |neutral| {
            let neutral: Vec<String> = neutral.iter().map(|it| constant(*it)).collect();
            format!(" neutral {}", neutral.join(", "))
        });
        let head = format!(
            "by ({}; {}){neutral}",
            vars(&combine.left),
            vars(&combine.right)
        );
        self.nested(&head, &combine.body, "yield");
    }

    /// ` head {`, the body, `}`; follows on the line that is open.
    fn nested(&mut self, head: &str, body: &Body, yields: &str) {
        if self.out.ends_with('}') {
            self.out.push(' ');
        }
        self.text(&format!("{head} {{\n"));
        self.depth += 1;
        self.body(body, yields);
        self.depth -= 1;
        self.indent();
        self.text("}");
    }

    fn declared(&self, var: Var) -> String {
        format!(
            "{var}: {}",
            self.var_type(&self.function.vars[var.index()].ty)
        )
    }

    fn atom_type(&self, atom: Atom) -> String {
        match atom {
            Atom::Const(constant) => constant.ty.name().to_owned(),
            Atom::Var(var) => self.var_type(&self.function.vars[var.index()].ty),
        }
    }

    fn var_type(&self, ty: &VarType) -> String {
        match ty {
            VarType::Scalar(scalar) => scalar.name().to_owned(),
            VarType::Array(ArrayType { elem, dims }) => {
                let dims = dims.iter().rev();
                dims.fold(elem.name().to_owned(), |elem, dim| {
                    format!("[{elem}; {}]", self.size(&dim.size))
                })
            }
        }
    }

    fn size(&self, size: &Size) -> String {
        size.show(|symbol| {
            self.function
                .size_names
                .get(symbol.index())
                .cloned()
                .flatten()
        })
    }

    fn check(&self, id: CheckId) -> String {
        let text = match &self.function.checks[id.index()].kind {
            CheckKind::Index => "index".to_owned(),
            CheckKind::Slice => "slice".to_owned(),
            CheckKind::Division => "division".to_owned(),
            CheckKind::Underflow => "underflow".to_owned(),
            CheckKind::Overflow => "overflow".to_owned(),
            CheckKind::Sizes { left, right, .. } => {
                format!("sizes of {left} and {right}").replace('`', "")
            }
            CheckKind::Empty { operator } => format!("empty for `{operator}`"),
            CheckKind::Step { operator } => format!("step of `{operator}`"),
            CheckKind::Duplicate => "duplicate".to_owned(),
            CheckKind::TooLarge => "too large".to_owned(),
            CheckKind::Assert { message } => format!("assert {message:?}"),
            CheckKind::Print { text, .. } => format!("print {text:?}"),
        };
        format!("<{text}>")
    }

    fn line(&mut self, text: &str) {
        self.indent();
        self.end(text);
    }

    fn end(&mut self, text: &str) {
        self.text(text);
        self.out.push('\n');
    }

    fn indent(&mut self) {
        let depth = self.depth;
        write!(self.out, "{:width$}", "", width = 2 * depth).expect("strings take all text");
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
}

fn atom(atom: Atom) -> String {
    match atom {
        Atom::Var(var) => var.to_string(),
        Atom::Const(it) => constant(it),
    }
}

fn atoms(list: &[Atom]) -> String {
    list.iter()
        .map(|it| atom(*it))
        .collect::<Vec<_>>()
        .join(", ")
}

fn vars(list: &[Var]) -> String {
    list.iter()
        .map(Var::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
