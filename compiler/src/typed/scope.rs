//! What the names of each unit mean.
//!
//! In: the units of a block. Out: tables of functions, structs and constants, and for each unit what
//! its names refer to. A unit sees its own items and what its imports provide.

use crate::hash::HashMap;
use crate::ids::{FuncId, StructId};
use crate::interpret::Value;
use crate::report::{Diagnostic, Errors, Report};
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{self, SigType, Type};
use crate::typed::shared::{self, Imported};
use proc_macro2::TokenStream;
use std::rc::Rc;

/// A function as declared.
#[derive(Clone, Copy)]
pub(super) struct Decl<'a> {
    pub(super) ast: &'a ast::Function,
    pub(super) unit: usize,
    /// Its signature or an instance of its body is wrong, which has been reported.
    pub(super) failed: bool,
}

/// A struct as declared; its field types are filled in by `structs::declare`.
pub(super) struct StructDraft<'a> {
    pub(super) ast: &'a ast::Struct,
    pub(super) unit: usize,
    pub(super) fields: Vec<SigType>,
    /// How the block imports it.
    pub(super) imported: Option<Imported<'a>>,
}

impl<'a> StructDraft<'a> {
    pub(super) fn new(ast: &'a ast::Struct, unit: usize) -> Self {
        StructDraft {
            ast,
            unit,
            fields: Vec::new(),
            imported: None,
        }
    }

    /// What the block calls it.
    pub(super) fn name(&self) -> &'a ast::Name {
        self.imported
            .map_or(&self.ast.name, |imported| imported.name)
    }
}

/// What an imported unit gives.
enum Provided {
    Function(usize),
    Struct(StructId),
}

/// A constant and how far its evaluation is.
pub(super) struct ConstDraft<'a> {
    pub(super) ast: &'a ast::Const,
    pub(super) unit: usize,
    pub(super) state: ConstState,
}

/// A constant that has been evaluated.
pub(super) struct Constant {
    pub(super) ty: SigType,
    pub(super) value: Value,
}

/// How far the evaluation of a constant is.
#[derive(Clone)]
pub(super) enum ConstState {
    Unknown,
    Active,
    Known(Rc<Constant>),
    /// Has been reported.
    Failed,
}

/// What the names of one unit mean.
#[derive(Default)]
pub(super) struct UnitScope<'a> {
    pub(super) functions: Vec<(&'a str, usize)>,
    pub(super) structs: Vec<(&'a str, StructId)>,
    pub(super) consts: Vec<(&'a str, usize)>,
    /// Of what the block imports: where that is.
    pub(super) path: Option<&'a TokenStream>,
}

/// Everything that the inference of one block shares.
pub(super) struct Session<'a> {
    pub(super) units: Vec<UnitScope<'a>>,
    pub(super) decls: Vec<Decl<'a>>,
    pub(super) structs: Vec<StructDraft<'a>>,
    pub(super) consts: Vec<ConstDraft<'a>>,
    pub(super) struct_names: Rc<[String]>,
    pub(super) errors: Vec<Diagnostic>,
    /// Finished instances, callees first.
    pub(super) functions: Vec<ir::Function>,
    /// `None`: its errors have been reported.
    pub(super) instances: HashMap<(usize, Vec<Type>), Option<FuncId>>,
    /// Functions whose instances are being built, outermost first.
    pub(super) active: Vec<usize>,
    /// Whether any `dbg!` was written.
    pub(super) prints: bool,
    /// Whether `dbg!(e)` is `e`.
    pub(super) released: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(program: &'a ast::Program) -> Self {
        let mut session = Session {
            units: Vec::new(),
            decls: Vec::new(),
            structs: Vec::new(),
            consts: Vec::new(),
            struct_names: Rc::from([]),
            errors: Vec::new(),
            functions: Vec::new(),
            instances: HashMap::default(),
            active: Vec::new(),
            prints: false,
            released: false,
        };
        for ast in &program.builtin {
            session.structs.push(StructDraft::new(ast, 0));
        }
        for (index, unit) in program.units.iter().enumerate() {
            session.unit(program, index, unit);
        }
        let names = session.structs.iter().map(|it| it.name().text.clone());
        session.struct_names = names.collect();
        session
    }

    fn unit(&mut self, program: &'a ast::Program, index: usize, unit: &'a ast::Unit) {
        let is_of_block = program
            .units
            .last()
            .is_some_and(|it| it.imports.contains(&index));
        let mut scope = UnitScope {
            path: unit.path.as_ref().filter(|_| is_of_block),
            ..UnitScope::default()
        };
        for import in &unit.imports {
            self.import(&mut scope, program, *import);
        }
        for ast in &unit.structs {
            let id = shared::declared(&mut self.structs, ast, index);
            scope.structs.push((&ast.name.text, id));
        }
        for ast in &unit.consts {
            scope.consts.push((&ast.name.text, self.consts.len()));
            self.consts.push(ConstDraft {
                ast,
                unit: index,
                state: ConstState::Unknown,
            });
        }
        for ast in &unit.functions {
            scope.functions.push((&ast.name.text, self.decls.len()));
            self.decls.push(Decl {
                ast,
                unit: index,
                failed: false,
            });
        }
        self.report_duplicates(program, unit);
        self.units.push(scope);
    }

    fn import(&mut self, scope: &mut UnitScope<'a>, program: &'a ast::Program, import: usize) {
        let Some(name) = &program.units[import].provides else {
            return;
        };
        match self.provided(program, import) {
            Some(Provided::Function(decl)) => scope.functions.push((&name.text, decl)),
            Some(Provided::Struct(id)) => {
                scope.structs.push((&name.text, id));
                let path = self.units[import].path;
                self.structs[id.index()].imported = path.map(|path| Imported { name, path });
            }
            None => {}
        }
    }

    /// A function of the name, if it is exported; a private one may have the name of a struct.
    fn provided(&self, program: &ast::Program, import: usize) -> Option<Provided> {
        let entry = program.units[import].entry.as_ref()?;
        let function = self.function(import, entry);
        let exported = function.filter(|decl| self.decls[*decl].ast.export.is_some());
        match (exported, self.strukt(import, entry)) {
            (None, Some(id)) => Some(Provided::Struct(id)),
            (Some(_), _) | (None, None) => function.map(Provided::Function),
        }
    }

    fn report_duplicates(&mut self, program: &'a ast::Program, unit: &'a ast::Unit) {
        let (mut functions, mut structs) = (Vec::new(), Vec::new());
        for import in &unit.imports {
            let name = program.units[*import].provides.iter();
            match self.provided(program, *import) {
                Some(Provided::Struct(_)) => structs.extend(name),
                Some(Provided::Function(_)) | None => functions.extend(name),
            }
        }
        let imported: Vec<_> = functions.iter().chain(&structs).copied().collect();
        functions.extend(unit.functions.iter().map(|item| &item.name));
        structs.extend(unit.structs.iter().map(|item| &item.name));
        let consts: Vec<_> = unit.consts.iter().map(|item| &item.name).collect();
        for names in [functions.as_slice(), &structs, &consts] {
            for (i, name) in names.iter().enumerate() {
                if let Some(first) = names[..i].iter().find(|n| n.text == name.text) {
                    let is_import = imported.iter().any(|import| import.text == name.text);
                    self.errors.push(defined_twice(name, first, is_import));
                }
            }
        }
    }

    /// The function called `name` in `unit`.
    pub(super) fn function(&self, unit: usize, name: &str) -> Option<usize> {
        find(&self.units[unit].functions, name)
    }

    /// The struct called `name` in `unit`.
    pub(super) fn strukt(&self, unit: usize, name: &str) -> Option<StructId> {
        find(&self.units[unit].structs, name)
    }

    /// The constant called `name` in `unit`.
    pub(super) fn constant(&self, unit: usize, name: &str) -> Option<usize> {
        find(&self.units[unit].consts, name)
    }

    /// The gate at the end of the stage.
    pub(super) fn propagate(&mut self) -> Result<(), Report> {
        let mut errors = Errors::default();
        for diagnostic in self.errors.drain(..) {
            errors.push(diagnostic);
        }
        errors.propagate()
    }
}

/// The place of a name.
pub(super) fn place(name: &ast::Name) -> SrcSpan {
    SrcSpan::token(name.ident.span())
}

// The first of duplicates has been the reported one's rival.
fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let found = table.iter().rev().find(|(other, _)| *other == name);
    found.map(|(_, item)| *item)
}

fn defined_twice(name: &ast::Name, first: &ast::Name, is_import: bool) -> Diagnostic {
    // The last import comes first.
    let (first, name) = if is_import && place(name).start() < place(first).start() {
        (name, first)
    } else {
        (first, name)
    };
    let title = format!("`{}` is defined twice", name.text);
    let help = if is_import {
        format!(
            "import one under another name: `use … as other_{};`",
            name.text
        )
    } else {
        "give one of them another name".to_owned()
    };
    Diagnostic::new(place(name), title).help(help).also(
        place(first),
        format!("`{}` is defined here first", name.text),
    )
}
