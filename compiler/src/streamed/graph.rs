//! What a function does with its sequences: operators as nodes, what is left of each as sinks.
//!
//! In: a body in which no called function takes or gives a sequence ([`super::inline`]). Out: a
//! [`Graph`]; all that its operators need beside items are locals, bound before. What cannot be
//! streamed is an error.

use super::build::Locals;
use super::nodes::{Graph, Item, Node, Op, Returned, Sink};
use super::refused::{misplaced, never, restarted, unreached};
use crate::ids::LocalId;
use crate::prims::Prim;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind, FnValue, Function, PatternKind, Stmt, Type};
use crate::typed::sequences::ENDLESS;
use crate::typed::visit::{Name, Visit};

/// The graph of `function`; `None` if there are errors.
pub(super) fn graph(
    function: &Function,
    body: Expr,
    locals: &mut Locals,
    errors: &mut Vec<Diagnostic>,
) -> Option<Graph> {
    let before = errors.len();
    let mut walk = Walk {
        locals,
        errors,
        seqs: Vec::new(),
        graph: Graph {
            nodes: Vec::new(),
            sinks: Vec::new(),
            items: Vec::new(),
            value: Returned::Seq(0),
            most: Vec::new(),
        },
    };
    walk.params(function);
    let returned = walk.value(body);
    if walk.errors.len() > before {
        return None;
    }
    let mut graph = walk.graph;
    graph.value = match (returned, function.ret.is_seq()) {
        (Value::Seq(node), _) => Returned::Seq(node),
        (Value::Plain(expr), _) => Returned::Value(expr),
    };
    Some(graph)
}

struct Walk<'w> {
    locals: &'w mut Locals,
    errors: &'w mut Vec<Diagnostic>,
    /// The locals that hold sequences.
    seqs: Vec<(LocalId, usize)>,
    graph: Graph,
}

/// What an expression gives.
enum Value {
    Plain(Expr),
    Seq(usize),
}

impl Walk<'_> {
    fn params(&mut self, function: &Function) {
        for (at, param) in function.params.iter().enumerate() {
            let crate::typed::ir::ParamType::Value(sig) = &param.ty else {
                continue;
            };
            if !sig.is_seq() {
                continue;
            }
            let item = item_of(&sig.erased());
            let node = self.node(Op::Param(at), Vec::new(), item, param.src);
            match &param.pattern.kind {
                PatternKind::Bind(local, None) => self.seqs.push((*local, node)),
                PatternKind::Wild => {}
                _parts => self.error(
                    Diagnostic::new(param.pattern.src, "a sequence needs a plain name")
                        .help("take its items apart where they are used: `s.map(|(a, b)| …)`"),
                ),
            }
        }
    }

    fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    fn node(&mut self, op: Op, inputs: Vec<usize>, item: Type, src: SrcSpan) -> usize {
        self.graph.nodes.push(Node {
            op,
            inputs,
            item,
            src,
        });
        self.graph.nodes.len() - 1
    }

    fn seq(&self, local: LocalId) -> Option<usize> {
        let found = self.seqs.iter().find(|(it, _)| *it == local);
        found.map(|(_, node)| *node)
    }

    /// A local that holds the value of `expr`, computed here; what may be assigned to later is copied,
    /// since the pass comes behind.
    fn operand(&mut self, expr: Expr) -> LocalId {
        let expr = self.plain(expr);
        if let ExprKind::Local(local) = expr.kind
            && !self.locals.all[local.index()].mutable
        {
            return local;
        }
        let (local, stmt) = self.locals.bind("operand", expr);
        self.graph.items.push(Item::Stmt(Box::new(stmt)));
        local
    }

    fn value(&mut self, expr: Expr) -> Value {
        let Expr { kind, ty, src } = expr;
        match kind {
            ExprKind::Local(local) => match self.seq(local) {
                Some(node) => Value::Seq(node),
                None => Value::Plain(Expr {
                    kind: ExprKind::Local(local),
                    ty,
                    src,
                }),
            },
            ExprKind::Streamed(array) => Value::Seq(self.streamed(*array, item_of(&ty), src)),
            ExprKind::Block { stmts, value } => {
                stmts.into_iter().for_each(|stmt| self.stmt(stmt));
                match value {
                    Some(value) => self.value(*value),
                    None => Value::Plain(Expr {
                        kind: ExprKind::Tuple(Vec::new()),
                        ty,
                        src,
                    }),
                }
            }
            ExprKind::Prim {
                prim,
                mut args,
                fns,
            } => {
                let first = match args.is_empty() {
                    true => None,
                    false => Some(self.value(args.remove(0))),
                };
                match first {
                    Some(Value::Seq(node)) => self.operator(prim, node, args, fns, ty, src),
                    first => {
                        let first = first.into_iter().filter_map(|it| match it {
                            Value::Plain(expr) => Some(expr),
                            Value::Seq(_) => None,
                        });
                        let args: Vec<Expr> = first.chain(args).collect();
                        let kind = ExprKind::Prim { prim, args, fns };
                        Value::Plain(self.parts(Expr { kind, ty, src }))
                    }
                }
            }
            ExprKind::Slice {
                array,
                lo: None,
                hi: None,
                inclusive,
            } => match self.value(*array) {
                Value::Seq(node) => self.sink(None, node, Vec::new(), Vec::new(), ty, src),
                Value::Plain(array) => Value::Plain(Expr {
                    kind: ExprKind::Slice {
                        array: Box::new(array),
                        lo: None,
                        hi: None,
                        inclusive,
                    },
                    ty,
                    src,
                }),
            },
            kind => Value::Plain(self.parts(Expr { kind, ty, src })),
        }
    }

    fn stmt(&mut self, stmt: Stmt) {
        match stmt {
            Stmt::Let { pattern, value } => match self.value(value) {
                Value::Plain(value) => {
                    let stmt = Stmt::Let { pattern, value };
                    self.graph.items.push(Item::Stmt(Box::new(stmt)));
                }
                Value::Seq(node) => match &pattern.kind {
                    PatternKind::Bind(local, None) => self.seqs.push((*local, node)),
                    PatternKind::Wild => {}
                    _parts => self.error(
                        Diagnostic::new(pattern.src, "a sequence needs a plain name")
                            .help("take its items apart where they are used: `s.map(|(a, b)| …)`"),
                    ),
                },
            },
            Stmt::Expr(expr) => {
                let expr = self.plain(expr);
                self.graph
                    .items
                    .push(Item::Stmt(Box::new(Stmt::Expr(expr))));
            }
        }
    }

    /// An expression that must not be a sequence.
    fn plain(&mut self, expr: Expr) -> Expr {
        let (ty, src) = (expr.ty.clone(), expr.src);
        match self.value(expr) {
            Value::Plain(expr) => expr,
            Value::Seq(_) => {
                self.error(misplaced(src));
                let kind = ExprKind::Tuple(Vec::new());
                Expr { kind, ty, src }
            }
        }
    }

    /// The parts of an expression that is no operator of sequences.
    fn parts(&mut self, mut expr: Expr) -> Expr {
        let src = expr.src;
        let mut reads = None;
        let seqs = self.seqs.clone();
        let mut taken: Vec<Expr> = Vec::new();
        expr.visit(&mut |part| match part {
            Visit::Operand(operand) => {
                let hole = Expr {
                    kind: ExprKind::Tuple(Vec::new()),
                    ty: operand.ty.clone(),
                    src: operand.src,
                };
                taken.push(std::mem::replace(operand, hole));
            }
            Visit::Apart(body) => body.names(&mut |name| note(name, &seqs, &mut reads)),
            Visit::Read(local) => note(Name::Read(local), &seqs, &mut reads),
            Visit::Function(FnValue::Lambda(lambda)) => {
                lambda.body.names(&mut |name| note(name, &seqs, &mut reads))
            }
            Visit::Function(FnValue::Local(_))
            | Visit::Pattern(_)
            | Visit::Assigned(_)
            | Visit::Loop(_) => {}
        });
        if let Some(local) = reads {
            self.error(restarted(
                src,
                self.locals.name(local),
                self.locals.src(local),
            ));
        }
        let mut filled: Vec<Expr> = Vec::new();
        for operand in taken {
            let before = self.graph.items.len();
            let operand = self.plain(operand);
            if self.graph.items.len() > before {
                self.bind_at(before, &mut filled);
            }
            filled.push(operand);
        }
        let mut filled = filled.into_iter();
        expr.visit(&mut |part| {
            if let Visit::Operand(operand) = part
                && let Some(value) = filled.next()
            {
                *operand = value;
            }
        });
        expr
    }

    /// Computes values at this place among what is done: operands, before what one behind them does first.
    fn bind_at(&mut self, mut at: usize, values: &mut [Expr]) {
        for value in values {
            let is_fixed = match &value.kind {
                ExprKind::Const(_) => true,
                ExprKind::Local(local) => !self.locals.all[local.index()].mutable,
                _computed => false,
            };
            if is_fixed {
                continue;
            }
            let src = value.src;
            let (local, stmt) = self.locals.bind("operand", value.clone());
            self.graph.items.insert(at, Item::Stmt(Box::new(stmt)));
            at += 1;
            *value = self.locals.read(local, src);
        }
    }

    fn streamed(&mut self, array: Expr, item: Type, src: SrcSpan) -> usize {
        if let ExprKind::Prim {
            prim: Prim::Generate,
            mut args,
            mut fns,
        } = array.kind
        {
            let len = self.plain(args.remove(0));
            let is_endless = matches!(&len.kind, ExprKind::Const(len) if len.bits == ENDLESS);
            let (len, stmt) = self.locals.bind("len", len);
            self.graph.items.push(Item::Stmt(Box::new(stmt)));
            let mut function = fns.remove(0);
            self.captures(&mut function);
            let op = Op::Count {
                len,
                function,
                is_endless,
            };
            return self.node(op, Vec::new(), item, src);
        }
        let array = self.operand(array);
        let len = self.locals.len_of(array, src);
        let (len, stmt) = self.locals.bind("len", len);
        self.graph.items.push(Item::Stmt(Box::new(stmt)));
        self.node(Op::Elements { array, len }, Vec::new(), item, src)
    }

    /// What a function of items reads: no sequences, and of what may be assigned to later the value
    /// that it has here.
    fn captures(&mut self, function: &mut FnValue) {
        let FnValue::Lambda(lambda) = function else {
            return;
        };
        let mut reads = None;
        let mut variables: Vec<LocalId> = Vec::new();
        let mut own: Vec<LocalId> = Vec::new();
        let (seqs, locals) = (&self.seqs, &self.locals.all);
        lambda.body.names(&mut |name| match name {
            Name::Bound(local) => own.push(*local),
            Name::Read(local) if locals[local.index()].mutable && !variables.contains(local) => {
                variables.push(*local);
            }
            name => note(name, seqs, &mut reads),
        });
        if let Some(local) = reads {
            let (name, src) = (self.locals.name(local), self.locals.src(local));
            self.error(restarted(lambda.body.src, name, src));
        }
        variables.retain(|local| !own.contains(local));
        for variable in variables {
            let value = self.locals.read(variable, lambda.src);
            let name = self.locals.name(variable).to_owned();
            let (copy, stmt) = self.locals.bind(&name, value);
            self.graph.items.push(Item::Stmt(Box::new(stmt)));
            lambda.body.names(&mut |name| {
                if let Name::Read(local) = name
                    && *local == variable
                {
                    *local = copy;
                }
            });
        }
    }

    /// An operator of the sequence `node`.
    fn operator(
        &mut self,
        prim: Prim,
        node: usize,
        args: Vec<Expr>,
        mut fns: Vec<FnValue>,
        ty: Type,
        src: SrcSpan,
    ) -> Value {
        if let Prim::Zip | Prim::Chain = prim {
            return self.joined(prim, node, args, item_of(&ty), src);
        }
        // Functions come behind operands, which may assign to what they read.
        let operands: Vec<LocalId> = args.into_iter().map(|arg| self.operand(arg)).collect();
        fns.iter_mut().for_each(|function| self.captures(function));
        let op = match prim {
            Prim::Map => Op::Map(fns.remove(0)),
            Prim::Enumerate => Op::Enumerate,
            Prim::Filter => Op::Filter(fns.remove(0)),
            Prim::TakeWhile => Op::TakeWhile(fns.remove(0)),
            Prim::FlatMap => Op::FlatMap(fns.remove(0)),
            Prim::Take
            | Prim::Skip
            | Prim::Chunks
            | Prim::ChunksExact
            | Prim::Windows
            | Prim::Scan
            | Prim::Prescan => match op_of(prim, operands.into_iter().next(), fns) {
                Some(op) => op,
                None => return Value::Seq(node),
            },
            sink => return self.sink(Some(sink), node, operands, fns, ty, src),
        };
        Value::Seq(self.node(op, vec![node], item_of(&ty), src))
    }

    /// The sequence `node` beside others, or before them.
    fn joined(
        &mut self,
        prim: Prim,
        node: usize,
        args: Vec<Expr>,
        item: Type,
        src: SrcSpan,
    ) -> Value {
        let mut inputs = vec![node];
        for arg in args {
            let src = arg.src;
            if prim == Prim::Chain
                && let Some(endless) = self.graph.endless(node)
            {
                self.error(unreached(src, endless));
            }
            match self.value(arg) {
                Value::Seq(node) => inputs.push(node),
                Value::Plain(_) => self.error(misplaced(src)),
            }
        }
        let Prim::Zip = prim else {
            return Value::Seq(self.node(Op::Chain, inputs, item, src));
        };
        // Of the first items of a sequence beside another, the first pairs of both.
        let counts = self.graph.without_takes(&mut inputs);
        let pairs = self.node(Op::Zip, inputs, item.clone(), src);
        let first = |pairs, count| self.node(Op::Take(count), vec![pairs], item.clone(), src);
        Value::Seq(counts.into_iter().fold(pairs, first))
    }

    fn sink(
        &mut self,
        prim: Option<Prim>,
        node: usize,
        operands: Vec<LocalId>,
        fns: Vec<FnValue>,
        ty: Type,
        src: SrcSpan,
    ) -> Value {
        if let Some(source) = self.graph.endless(node) {
            self.error(never(src, source));
        }
        let local = self.locals.fresh("result", ty.clone(), src);
        self.graph.items.push(Item::Sink(self.graph.sinks.len()));
        self.graph.sinks.push(Sink {
            node,
            prim,
            operands,
            fns,
            local,
            ty: ty.clone(),
            src,
        });
        Value::Plain(Expr {
            kind: ExprKind::Local(local),
            ty,
            src,
        })
    }
}

/// An operator of one sequence, a value, and a function; `None` if one is missing.
fn op_of(prim: Prim, operand: Option<LocalId>, fns: Vec<FnValue>) -> Option<Op> {
    Some(match prim {
        Prim::Take => Op::Take(operand?),
        Prim::Skip => Op::Skip(operand?),
        Prim::Windows => Op::Windows(operand?),
        Prim::Chunks | Prim::ChunksExact => Op::Chunks {
            len: operand?,
            is_exact: prim == Prim::ChunksExact,
        },
        _scan => Op::Scan {
            init: operand,
            function: fns.into_iter().next()?,
        },
    })
}

/// The first sequence that is read.
fn note(name: Name<'_>, seqs: &[(LocalId, usize)], reads: &mut Option<LocalId>) {
    if let Name::Read(local) = name
        && reads.is_none()
        && seqs.iter().any(|(seq, _)| seq == local)
    {
        *reads = Some(*local);
    }
}

/// The type of the items of an array.
pub(super) fn item_of(ty: &Type) -> Type {
    match ty {
        Type::Array(elem) => (**elem).clone(),
        Type::Scalar(_) | Type::Tuple(_) | Type::Struct(_) => {
            unreachable!("a sequence is the array of its items")
        }
    }
}
