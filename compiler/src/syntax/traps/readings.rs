//! What Rust's grammar accepts and reads otherwise than it looks: `0..n.map(f)`,
//! `for x in xs { x } - 1`

use super::operators::ends_at_its_brace;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use syn::{Block, Expr, ExprMethodCall, Stmt, UnOp};

/// Operators whose result is an array, which cannot end a range.
const ARRAYS: [&str; 40] = [
    "map",
    "zip",
    "unzip",
    "enumerate",
    "rev",
    "gather",
    "take",
    "skip",
    "step_by",
    "split_at",
    "chain",
    "repeat",
    "pairwise",
    "scan",
    "prescan",
    "scan_from",
    "rscan",
    "rprescan",
    "rscan_from",
    "filter",
    "partition",
    "compress",
    "dedup",
    "flat_map",
    "sort",
    "sort_by_key",
    "argsort",
    "group_by_key",
    "windows",
    "chunks",
    "flatten",
    "pairs",
    "stencil",
    "iter",
    "into_iter",
    "collect",
    "for_each",
    "filter_map",
    "take_while",
    "unique",
];

/// Operators on arrays whose result is a scalar, which can.
const SCALARS: [&str; 18] = [
    "sum", "product", "min", "max", "any", "all", "count", "mean", "argmin", "argmax", "reduce",
    "fold", "first", "last", "len", "position", "min_or", "max_or",
];

/// `0..n.map(f)`, which is `0..(n.map(f))`. `numbers` are names that are known not to be arrays.
pub(in crate::syntax) fn range(end: &Expr, numbers: &[String], src: SrcSpan) -> Option<Diagnostic> {
    let Expr::MethodCall(call) = end else {
        return None;
    };
    let method = call.method.to_string();
    let gives_array = ARRAYS.contains(&method.as_str());
    let scalar_function = call.args.len() == 1 && (method == "min" || method == "max");
    let takes_array = SCALARS.contains(&method.as_str()) && !scalar_function;
    let base = base(call);
    let misread = gives_array || (takes_array && is_number(base, numbers));
    misread.then(|| {
        Diagnostic::new(
            src,
            format!("`.{method}` applies to the end of the range only"),
        )
        .note("a method call binds tighter than `..`")
        .help(format!(
            "put the range in parentheses: `(a..b).{method}(…)`"
        ))
    })
}

/// What a chain of method calls starts with.
fn base(call: &ExprMethodCall) -> &Expr {
    match &*call.receiver {
        Expr::MethodCall(inner) => base(inner),
        other => other,
    }
}

fn is_number(e: &Expr, numbers: &[String]) -> bool {
    match e {
        Expr::Lit(_) => true,
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|ident| numbers.iter().any(|number| ident == number)),
        _ => false,
    }
}

/// `for x in xs { x } - 1`: two statements, of which the first has a value that nobody uses.
pub(in crate::syntax) fn statement(first: &Stmt, second: &Stmt) -> Option<Diagnostic> {
    let (Stmt::Expr(first, None), Stmt::Expr(second, _)) = (first, second) else {
        return None;
    };
    let keyword = keyword(first)?;
    if !has_value(first) {
        return None;
    }
    Some(ends_at_its_brace(Some(keyword), leading_operator(second)?))
}

fn keyword(e: &Expr) -> Option<&'static str> {
    match e {
        Expr::ForLoop(_) => Some("for"),
        Expr::If(_) => Some("if"),
        Expr::Match(_) => Some("match"),
        _ => None,
    }
}

/// Whether it looks like a value rather than like a statement.
fn has_value(e: &Expr) -> bool {
    match e {
        Expr::ForLoop(e) => block_has_value(&e.body),
        Expr::If(e) => e.else_branch.is_some() && block_has_value(&e.then_branch),
        Expr::Match(e) => e.arms.iter().any(|arm| has_value(&arm.body)),
        Expr::Block(e) => block_has_value(&e.block),
        Expr::While(_) | Expr::Assign(_) | Expr::Break(_) | Expr::Continue(_) => false,
        Expr::Return(_) | Expr::Macro(_) => false,
        Expr::Tuple(e) => !e.elems.is_empty(),
        Expr::Binary(e) => !super::super::exprs::assigns(&e.op),
        _ => true,
    }
}

fn block_has_value(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(e, None)) if has_value(e))
}

/// The sign at the start of an expression that could as well stand between two.
fn leading_operator(e: &Expr) -> Option<SrcSpan> {
    match e {
        Expr::Binary(e) => leading_operator(&e.left),
        Expr::Assign(e) => leading_operator(&e.left),
        Expr::Cast(e) => leading_operator(&e.expr),
        Expr::MethodCall(e) => leading_operator(&e.receiver),
        Expr::Field(e) => leading_operator(&e.base),
        Expr::Index(e) => leading_operator(&e.expr),
        Expr::Range(e) => match &e.start {
            Some(start) => leading_operator(start),
            None => Some(SrcSpan::of(&e.limits)),
        },
        Expr::Unary(e) => match &e.op {
            UnOp::Neg(token) => Some(SrcSpan::token(token.span)),
            UnOp::Deref(token) => Some(SrcSpan::token(token.span)),
            _ => None,
        },
        Expr::Reference(e) => Some(SrcSpan::token(e.and_token.span)),
        Expr::Closure(e) => Some(SrcSpan::token(e.inputs_begin.span)),
        _ => None,
    }
}
