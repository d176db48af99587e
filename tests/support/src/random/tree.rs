//! Program text with its structure, so that it can be shrunk.

use ragged_compiler::prims::Scalar;
use std::fmt;

/// A type of the random programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A scalar.
    Scalar(Scalar),
    /// A complex number of components of this type.
    Complex(Scalar),
    /// A tuple of at least two.
    Tuple(Vec<Ty>),
    /// An array of a length of its own.
    Array(Box<Ty>),
    /// An array of these extents, outermost first; scalars or tuples of scalars behind the last.
    Dense(Vec<Dim>, Box<Ty>),
}

/// An extent that is the same in all of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dim {
    /// A size name of the signature.
    Named(String),
    /// A number.
    Known(usize),
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Named(name) => f.write_str(name),
            Dim::Known(number) => write!(f, "{number}usize"),
        }
    }
}

impl Ty {
    /// The array of `elem`.
    pub fn array(elem: &Ty) -> Ty {
        Ty::Array(Box::new(elem.clone()))
    }

    /// The array of these extents; no extents: `elem` itself.
    pub fn dense(dims: &[Dim], elem: &Ty) -> Ty {
        match dims {
            [] => elem.clone(),
            _ => Ty::Dense(dims.to_vec(), Box::new(elem.clone())),
        }
    }

    /// What the elements of an array are.
    pub fn element(&self) -> Option<Ty> {
        match self {
            Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) => None,
            Ty::Array(elem) => Some((**elem).clone()),
            Ty::Dense(dims, elem) => Some(Ty::dense(&dims[1..], elem)),
        }
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        self.element().is_some()
    }

    /// Whether it is an array, or a tuple with arrays in it.
    pub fn holds_arrays(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Complex(_) => false,
            Ty::Tuple(parts) => parts.iter().any(Ty::holds_arrays),
            Ty::Array(_) | Ty::Dense(..) => true,
        }
    }

    /// How many arrays are inside of each other, and what the elements of the innermost are.
    pub fn levels(&self) -> (usize, Ty) {
        match self.element() {
            Some(elem) => {
                let (levels, innermost) = elem.levels();
                (levels + 1, innermost)
            }
            None => (0, self.clone()),
        }
    }

    /// As the annotation of a local, which has no sizes.
    pub fn without_sizes(&self) -> String {
        match (self, self.element()) {
            (_, Some(elem)) => format!("[{}]", elem.without_sizes()),
            (Ty::Tuple(parts), None) => {
                let parts: Vec<String> = parts.iter().map(Ty::without_sizes).collect();
                format!("({})", parts.join(", "))
            }
            (_, None) => self.to_string(),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(scalar) => f.write_str(scalar.name()),
            Ty::Complex(part) => write!(f, "Complex<{}>", part.name()),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "({})", parts.join(", "))
            }
            Ty::Array(elem) => write!(f, "[{elem}]"),
            Ty::Dense(dims, elem) => match &dims[0] {
                Dim::Named(name) => write!(f, "[{}; {name}]", Ty::dense(&dims[1..], elem)),
                Dim::Known(number) => write!(f, "[{}; {number}]", Ty::dense(&dims[1..], elem)),
            },
        }
    }
}

/// A piece of a program.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub role: Role,
    /// What it is made of.
    pub parts: Vec<Part>,
}

/// What a piece of a program is, which says how it may be made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// An expression: another one of its type may stand there.
    Expr(Ty),
    /// A statement, parameter, arm or function: may be left out.
    Optional,
    /// Only what it is made of may change.
    Fixed,
}

/// A part of a piece.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A smaller piece.
    Node(Node),
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<Node> for Part {
    fn from(node: Node) -> Part {
        Part::Node(node)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Text(text) => f.write_str(text),
            Part::Node(node) => node.fmt(f),
        })
    }
}

impl Node {
    /// An expression of type `ty`.
    pub fn expr(ty: &Ty, parts: Vec<Part>) -> Node {
        let role = Role::Expr(ty.clone());
        Node { role, parts }
    }

    /// Something that may be left out.
    pub fn optional(parts: Vec<Part>) -> Node {
        let role = Role::Optional;
        Node { role, parts }
    }

    /// Something that stays.
    pub fn fixed(parts: Vec<Part>) -> Node {
        let role = Role::Fixed;
        Node { role, parts }
    }

    /// How many pieces it is made of.
    pub fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// The pieces directly below.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }
}

/// Parts from texts and nodes.
#[macro_export]
macro_rules! parts {
    ($($part:expr),* $(,)?) => { vec![$($crate::random::tree::Part::from($part)),*] };
}
