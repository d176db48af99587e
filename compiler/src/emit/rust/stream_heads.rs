//! What users call of a function over sequences: heads, and what goes through one hidden method
//! where results are given out item by item.
//!
//! In: a stream, and the body that makes a source and a step of its arguments. Out: tokens.

use crate::Lexer;
use crate::emit::at;
use crate::emit::rust::border::{Form, form, param_type, result_type};
use crate::emit::rust::outside::{self, with_bounds, with_paths};
use crate::emit::rust::streams::{Glue, LENT};
use crate::shaped::border::border_type;
use crate::streamed::ir::{Feed, Part, Source};
use crate::typed::ir::SigType;
use proc_macro2::TokenStream;
use quote::quote;
use std::fmt::Write;

/// The type of limits.
pub(super) const LIMITS: &str = "::ragged::seq::Limits";

/// What `with` says of itself.
const WITH: &str = "As the function of this name, with limits for what is in memory at a time.";

/// What `for_each` says of itself.
const FOR_EACH: &str = "Hands each result to `sink`, on the calling thread and in order: a thread reads, \
the others compute, and this one hands on, all at once. What has elements is lent where it lies.\n\nErrors: those of the function, and those of \
`sink`; the results before it have been handed on. See `ragged::seq`.";

/// What `for_each_with` says of itself.
const FOR_EACH_WITH: &str = "As `for_each`, with limits for what is in memory at a time.";

/// Type parameters, parameters and what follows them.
pub(super) struct Head {
    markers: TokenStream,
    params: TokenStream,
    ret: TokenStream,
}

impl Head {
    /// All of it.
    pub fn signature(&self) -> TokenStream {
        self.with(&TokenStream::new())
    }

    /// The same, with a parameter before the others.
    fn with(&self, first: &TokenStream) -> TokenStream {
        let Head {
            markers,
            params,
            ret,
        } = self;
        quote!(<#markers> (#first #params) #ret)
    }
}

impl Glue<'_> {
    /// The function's, and that of `with`.
    pub fn head(&self, lex: Lexer) -> Head {
        let ret = match self.result() {
            None => result_type(&border_type(&self.stream.ret), self.structs),
            Some(out) => {
                let item = format!("<{out} as ::ragged::seq::Items>::Item");
                let held = self.held();
                format!("impl ::core::iter::Iterator<Item = ::ragged::Result<{item}>> {held}")
            }
        };
        self.head_of("", "", &ret, lex)
    }

    /// That something may hold what items lend.
    fn held(&self) -> String {
        match self.lends() {
            true => format!("+ ::ragged::__private::seq::Held<{LENT}>"),
            false => String::new(),
        }
    }

    /// A head whose result, or the error for it, is this; `iterators` is what else the iterators of
    /// items must be, and `more` type parameters and parameters behind the others.
    fn head_of(&self, iterators: &str, more: &str, ret: &str, lex: Lexer) -> Head {
        let (mut markers, mut params) = (String::new(), String::new());
        if self.lends() {
            let _ = write!(markers, "{LENT},");
        }
        for (at, param) in self.stream.params.iter().enumerate() {
            let name = self.name(at);
            let ty = border_type(&param.ty);
            let ty = match param.is_seq {
                false => self.taken(&ty),
                true => {
                    let _ = write!(markers, "__M{at},");
                    let chunk = self.chunk_of(at);
                    let item = format!("Item = impl ::ragged::SeqItem<{chunk}, __M{at}>");
                    format!("impl ::core::iter::IntoIterator<{item}{iterators}>")
                }
            };
            let _ = write!(params, "{name}: {ty},");
        }
        if !more.is_empty() {
            markers.push_str(ERROR);
            params.push_str(more);
        }
        let bounds = outside::bounds(self.structs);
        let ret = format!("-> ::ragged::Result<{ret}>{bounds}");
        let [markers, params, ret] =
            [markers, params, ret].map(|text| self.named(at(lex(&text), self.stream.ident.span())));
        Head {
            markers,
            params,
            ret,
        }
    }

    /// The parameters, as arguments.
    pub fn args(&self, lex: Lexer) -> TokenStream {
        let names = (0..self.stream.params.len()).map(|at| self.name(at) + ",");
        lex(&names.collect::<String>())
    }

    /// Text of a signature or a body.
    pub fn named(&self, tokens: TokenStream) -> TokenStream {
        with_bounds(with_paths(tokens, self.structs), self.structs)
    }

    /// `with`, and of results that are given out item by item `for_each`. These two make one source and
    /// one step, in a method whose result says all that is to be known of them: whether the source may
    /// go to another thread depends on the arguments.
    pub fn methods(
        &self,
        head: &Head,
        body: &TokenStream,
        allow: &TokenStream,
        lex: Lexer,
    ) -> TokenStream {
        let vis = &self.stream.vis;
        let limits = lex(LIMITS);
        let first = quote!(__ragged_limits: #limits,);
        let with = head.with(&first);
        let Some(out) = self.result() else {
            return quote! {
                #[doc = #WITH]
                #allow
                #vis fn with #with { #body }
            };
        };
        let prepared = self.head_of("", "", &self.prepared(&out), lex).with(&first);
        let sink = format!(
            "__ragged_sink: impl for<'__item> ::core::ops::FnMut(<{out} as ::ragged::seq::Items>::Lent<'__item>) \
             -> ::core::result::Result<(), __Error>"
        );
        let each = self.head_of(", IntoIter: ::core::marker::Send", &sink, "()", lex);
        let (for_each, each_with) = (each.signature(), each.with(&first));
        let args = self.args(lex);
        let prepare = quote!(Self::__prepare(__ragged_limits, #args)?);
        let ok = lex("::core::result::Result::Ok");
        quote! {
            #[doc = #WITH]
            #allow
            #vis fn with #with { #ok(#prepare.stream()) }

            #[doc = #FOR_EACH]
            #allow
            #vis fn for_each #for_each {
                Self::for_each_with(#limits::new(), #args __ragged_sink)
            }

            #[doc = #FOR_EACH_WITH]
            #allow
            #vis fn for_each_with #each_with { #prepare.for_each(__ragged_sink) }

            #allow
            fn __prepare #prepared { #body }
        }
    }

    /// The type of what is made of the arguments if the results' chunks are `out`s.
    fn prepared(&self, out: &str) -> String {
        let chunk = self.chunks();
        // What it reads itself may not say so, where it is within what makes the items.
        let held = self.held();
        format!(
            "::ragged::__private::seq::Prepared<\
             impl ::ragged::__private::seq::Source<Chunk = {chunk}> {held}, {out}, \
             impl ::core::ops::FnMut(&{chunk}, ::core::primitive::bool, &mut {out}) \
             -> ::ragged::Result<::core::primitive::bool> + ::core::marker::Send>"
        )
    }

    /// The type of the chunks that the last pass reads.
    fn chunks(&self) -> String {
        let Some(Part::Pass(pass)) = self.stream.parts.last() else {
            unreachable!("a pass gives the results")
        };
        let chunks = pass.sources.iter().map(|source| match source {
            Source::Count(_) => "::ragged::__private::seq::Indices".to_owned(),
            Source::Param(at) => self.chunk_of(*at),
            Source::Nested(at) => self.chunk(&border_type(&pass.nested[*at].items)),
        });
        chunks_of(&pass.feed, &chunks.collect::<Vec<_>>())
    }

    /// The type of a parameter that is no sequence: what parts are given several times is one array,
    /// never a tuple of arrays.
    fn taken(&self, ty: &SigType) -> String {
        match ty {
            SigType::Tuple(fields) => {
                let fields = fields.iter().map(|it| self.taken(it) + ",");
                format!("({})", fields.collect::<String>())
            }
            SigType::Array { elem, .. } => {
                let (form, _) = form(elem);
                let text = param_type(ty, self.structs);
                let text = format!("{text} + ::core::marker::Send + ::core::marker::Sync");
                match form {
                    Form::Flat => text.replace("AsProducts<", "AsArray<").replace(", 0>", ">"),
                    Form::Ragged(_) => text.replace("AsProducts<", "AsRagged<"),
                    Form::Dense(_) => text,
                }
            }
            SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => {
                param_type(ty, self.structs)
            }
        }
    }
}

/// The type parameter of what a sink fails with.
const ERROR: &str = "__Error: ::core::convert::Into<::std::boxed::Box<\
    dyn ::std::error::Error + ::core::marker::Send + ::core::marker::Sync>>,";

/// The type of the chunks of all sources, given those of each.
fn chunks_of(feed: &Feed, chunks: &[String]) -> String {
    match feed {
        Feed::One(source) => chunks[*source].clone(),
        Feed::Zipped(feeds) => {
            let feeds = feeds.iter().map(|it| chunks_of(it, chunks) + ",");
            format!("({})", feeds.collect::<String>())
        }
        Feed::Beside(feeds, _) => {
            let feeds = feeds.iter().map(|it| chunks_of(it, chunks) + ",");
            let feeds = feeds.collect::<String>();
            format!("::ragged::__private::seq::Beside<({feeds})>")
        }
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => chunks_of(feed, chunks),
        Feed::After(both) => {
            let [first, second] = both.each_ref().map(|it| chunks_of(it, chunks));
            format!("::ragged::__private::seq::After<{first}, {second}>")
        }
    }
}
