//! Arrays that a kernel holds, and the text that reads them.
//!
//! In: how an array lies. Out: expressions. Assumes that `L` and `l` are in scope where lanes are read.
//!
//! An array of tuples may come as one array or as a tuple of arrays: then it is of a type parameter,
//! and read through the run time's trait `Elements`; any other array is a slice.

use crate::hash::HashMap;
use crate::ids::Var;

/// Captured arrays: by variable, the field of the kernel that holds the array, the Rust type of its
/// element, and the path of the component (`""`, `".0"`, `".x"`).
pub type Arrays = HashMap<Var, ArrayField>;

/// See [`Arrays`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayField {
    /// The name of the array.
    pub field: String,
    /// The Rust type of its elements.
    pub elem: String,
    /// The way to the component in an element.
    pub path: String,
    /// The type parameter that the array is of, if it is no slice.
    pub param: Option<String>,
    /// Whether the slice starts at element `from` of the array, behind each row of which there are
    /// `pad` elements more.
    pub moved: bool,
    /// If the slice is a row of so many elements, written again and again: how many, as an expression.
    pub repeated: Option<String>,
}

/// How names begin by which arrays are read anywhere.
const GATHERER: &str = "g_";

impl ArrayField {
    /// The array as the trait by which it is read.
    fn elements(&self) -> Option<String> {
        let param = self.param.as_ref()?;
        Some(format!("<{param} as __r::Elements<{}>>", self.elem))
    }

    /// Whether its elements are scalars, one beside the other.
    pub fn is_plain(&self) -> bool {
        self.param.is_none() && self.path.is_empty()
    }

    /// The block of lanes from `rest` on: the start, and what else `load` takes.
    pub fn load(&self, load: &str, holder: &str, rest: &str) -> String {
        let (field, elem) = (&self.field, &self.elem);
        match self.elements() {
            None => format!("__r::{load}::<{elem}, {{ L }}>({holder}.{field}, {rest})"),
            Some(elements) => format!("{elements}::{load}::<{{ L }}>({holder}.{field}, {rest})"),
        }
    }

    /// What asks for the memory some way behind the block of lanes at `start`.
    pub fn fetch(&self, holder: &str, start: &str) -> Option<String> {
        let (field, elem) = (&self.field, &self.elem);
        let plain = self.param.is_none();
        plain.then(|| format!("__r::fetch::<{elem}, {{ L }}>({holder}.{field}, {start});\n"))
    }

    /// Room for such a block, where it is not read in place.
    pub fn room(&self) -> String {
        match self.elements() {
            None => "__r::MaybeUninit::uninit()".to_owned(),
            Some(elements) => format!("{elements}::room::<{{ L }}>()"),
        }
    }

    /// The component of lane `l` of such a block.
    pub fn lane(&self, block: &str) -> String {
        match &self.param {
            None => format!("{block}[l]{}", self.path),
            Some(_) => format!("__r::Lanes::at(&{block}, l){}", self.path),
        }
    }

    /// The component at `at`, or that of the nearest element; `array` is the array.
    pub fn get(&self, array: &str, at: &str) -> String {
        let path = &self.path;
        match &self.param {
            None => format!("__r::get({array}, {at}){path}"),
            Some(_) => format!("__r::Elements::get({array}, {at}){path}"),
        }
    }

    /// The component at `at`, where there is one, of an array that is no parameter of the struct's type.
    pub fn at(&self, array: &str, at: &str) -> String {
        format!("__r::element({array}, {at}){}", self.path)
    }

    /// The name by which the array is read anywhere.
    pub fn gatherer(&self) -> String {
        format!("{GATHERER}{}", self.field)
    }

    /// The declarations of that name, for the array of `holder`.
    pub fn gather(&self, holder: &str) -> String {
        let (field, elem, name) = (&self.field, &self.elem, self.gatherer());
        match self.elements() {
            None => format!(
                "let d_{field} = [<{elem} as __r::Default>::default()];\n\
                 let {name} = __r::NonEmpty::new({holder}.{field}, &d_{field});\n"
            ),
            Some(elements) => format!(
                "let d_{field} = {elements}::none();\n\
                 let {name} = {elements}::gather({holder}.{field}, &d_{field});\n"
            ),
        }
    }

    /// The component at `at` by that name.
    pub fn gathered(&self, at: &str) -> String {
        let (path, name) = (&self.path, self.gatherer());
        match &self.param {
            None => format!("{READ}(flag, &{name}, {at}){path}"),
            Some(_) => format!("__r::Gather::get(&{name}, {at}){path}"),
        }
    }
}

/// The function that reads an element anywhere, by a flag of that name.
pub const READ: &str = "__r::Flag::read";

/// Whether the text of a body reads arrays at any indices: whether it has a name that
/// [`ArrayField::gather`] declares.
pub fn gathers(body: &str) -> bool {
    body.contains(&format!("let {GATHERER}"))
}
