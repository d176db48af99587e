//! Checks what the other stages take for granted about the tree. A violation is a bug in this stage.

use super::ir::{Block, Expr, ExprKind, Pattern, PatternKind, Program, Stmt, Unit};

/// Says what is wrong with a tree that came with no errors.
pub fn verify(program: &Program) -> Result<(), String> {
    let Some((block, imported)) = program.units.split_last() else {
        return Err("no units".to_owned());
    };
    if block.provides.is_some() || block.entry.is_some() {
        return Err("the last unit is not the block".to_owned());
    }
    for unit in imported {
        provides_its_entry(unit)?;
    }
    imports_are_a_tree(&program.units)?;
    for unit in &program.units {
        for constant in &unit.consts {
            expr(&constant.value)?;
        }
        for function in &unit.functions {
            for param in &function.params {
                pattern(&param.pattern)?;
            }
            let ExprKind::Block(body) = &function.body.kind else {
                return Err(format!("the body of {} is not a block", function.name.text));
            };
            block_parts(body)?;
        }
    }
    Ok(())
}

fn provides_its_entry(unit: &Unit) -> Result<(), String> {
    let (Some(_), Some(entry)) = (&unit.provides, &unit.entry) else {
        return Err("an imported unit provides nothing".to_owned());
    };
    let is_function = unit.functions.iter().any(|it| it.name.text == *entry);
    if is_function || unit.structs.iter().any(|it| it.name.text == *entry) {
        Ok(())
    } else {
        Err(format!(
            "an imported unit has no function or struct {entry}"
        ))
    }
}

/// Each unit but the block is imported by exactly one later unit.
fn imports_are_a_tree(units: &[Unit]) -> Result<(), String> {
    let mut importers = vec![0; units.len()];
    for (at, unit) in units.iter().enumerate() {
        for &import in &unit.imports {
            if import >= at {
                return Err(format!(
                    "unit {at} imports unit {import}, which is not before it"
                ));
            }
            importers[import] += 1;
        }
    }
    match importers.iter().rev().skip(1).position(|&count| count != 1) {
        None => Ok(()),
        Some(_) => Err("a unit is not imported exactly once".to_owned()),
    }
}

fn block_parts(block: &Block) -> Result<(), String> {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Let {
                pattern: p, value, ..
            } => {
                pattern(p)?;
                value.iter().try_for_each(expr)?;
            }
            Stmt::Expr(e) => expr(e)?,
        }
    }
    block.value.iter().try_for_each(|value| expr(value))
}

fn expr(e: &Expr) -> Result<(), String> {
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Path(..) | ExprKind::Continue(_) => Ok(()),
        ExprKind::Unary(_, e)
        | ExprKind::Cast(e, _)
        | ExprKind::Field(e, _)
        | ExprKind::Assert(e, _)
        | ExprKind::Dbg(e) => expr(e),
        ExprKind::Binary(_, a, b) | ExprKind::Repeat(a, b) | ExprKind::Assign(a, _, b) => {
            expr(a)?;
            expr(b)
        }
        ExprKind::Tuple(elems) | ExprKind::Array(elems) => elems.iter().try_for_each(expr),
        ExprKind::Struct { fields, base, .. } => {
            fields.iter().try_for_each(|(_, value)| expr(value))?;
            base.iter().try_for_each(|base| expr(base))
        }
        ExprKind::Index(array, index) => {
            expr(array)?;
            match &index.kind {
                ExprKind::Range { lo, hi, .. } => ends(lo.as_deref(), hi.as_deref()),
                _ => expr(index),
            }
        }
        ExprKind::Range { lo, hi, .. } => {
            if lo.is_none() || hi.is_none() {
                return Err("a range outside an index lacks an end".to_owned());
            }
            ends(lo.as_deref(), hi.as_deref())
        }
        ExprKind::Call(call) if call.method && call.args.is_empty() => {
            Err("a method call without a receiver".to_owned())
        }
        ExprKind::Call(call) => call.args.iter().try_for_each(expr),
        ExprKind::Closure(params, body) => {
            params.iter().try_for_each(pattern)?;
            expr(body)
        }
        ExprKind::If(cond, then, otherwise) => {
            expr(cond)?;
            expr(then)?;
            otherwise.iter().try_for_each(|e| expr(e))
        }
        ExprKind::Match(e, arms) => {
            expr(e)?;
            arms.iter().try_for_each(|arm| {
                pattern(&arm.pattern)?;
                arm.guard.iter().try_for_each(expr)?;
                expr(&arm.body)
            })
        }
        ExprKind::Block(block) | ExprKind::Loop(block, _) => block_parts(block),
        ExprKind::For(p, over, body, _) => {
            pattern(p)?;
            expr(over)?;
            block_parts(body)
        }
        ExprKind::While(cond, body, _) => {
            expr(cond)?;
            block_parts(body)
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => {
            value.iter().try_for_each(|value| expr(value))
        }
    }
}

fn ends(lo: Option<&Expr>, hi: Option<&Expr>) -> Result<(), String> {
    lo.into_iter().chain(hi).try_for_each(expr)
}

fn pattern(p: &Pattern) -> Result<(), String> {
    match &p.kind {
        PatternKind::Rest => Err("`..` outside a tuple pattern".to_owned()),
        PatternKind::Wild | PatternKind::Value(_) => Ok(()),
        PatternKind::Bind { inner, .. } => inner.iter().try_for_each(|inner| pattern(inner)),
        PatternKind::Tuple(elems) => elems
            .iter()
            .filter(|elem| !matches!(elem.kind, PatternKind::Rest))
            .try_for_each(pattern),
        PatternKind::Struct { fields, .. } => fields.iter().try_for_each(|(_, p)| pattern(p)),
        PatternKind::Range { lo, hi, .. } if lo.is_none() && hi.is_none() => {
            Err("a range pattern without ends".to_owned())
        }
        PatternKind::Range { .. } => Ok(()),
        PatternKind::Or(cases) if cases.len() < 2 => Err("an or-pattern of one case".to_owned()),
        PatternKind::Or(cases) => cases.iter().try_for_each(pattern),
        PatternKind::Typed(inner, _) => pattern(inner),
    }
}
