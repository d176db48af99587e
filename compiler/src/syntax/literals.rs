//! Literals.

use super::ir::{Literal, LiteralValue};
use super::reader::Reader;
use crate::prims::Scalar;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use syn::Lit;

impl Reader {
    /// A literal of an expression or a pattern; `None` after a message.
    pub fn literal(&mut self, lit: &Lit) -> Option<Literal> {
        let src = SrcSpan::token(lit.span());
        match lit {
            Lit::Bool(lit) => Some(Literal {
                value: LiteralValue::Bool(lit.value),
                suffix: String::new(),
                src,
            }),
            Lit::Byte(lit) => Some(Literal {
                value: LiteralValue::Int(i128::from(lit.value())),
                suffix: "u8".to_owned(),
                src,
            }),
            Lit::Int(lit) => self.int(lit, src),
            Lit::Float(lit) => self.number(
                LiteralValue::Float(lit.base10_digits().to_owned()),
                lit.suffix(),
                src,
            ),
            other => {
                self.errors.push(foreign_literal(other, src));
                None
            }
        }
    }

    /// `1`, `0xff_u8`, `1f32`
    fn int(&mut self, lit: &syn::LitInt, src: SrcSpan) -> Option<Literal> {
        let digits = lit.base10_digits();
        if Scalar::by_name(lit.suffix()).is_some_and(Scalar::is_float) {
            let value = LiteralValue::Float(digits.to_owned());
            return self.number(value, lit.suffix(), src);
        }
        let Ok(value) = digits.parse() else {
            self.errors.push(
                Diagnostic::new(src, "this number does not fit into any integer type")
                    .help("write a float: `1e40`"),
            );
            return None;
        };
        self.number(LiteralValue::Int(value), lit.suffix(), src)
    }

    fn number(&mut self, value: LiteralValue, suffix: &str, src: SrcSpan) -> Option<Literal> {
        if !suffix.is_empty() && Scalar::by_name(suffix).is_none_or(|ty| ty == Scalar::Bool) {
            self.errors.push(
                Diagnostic::new(
                    src,
                    format!("`{suffix}` is not a scalar type of the language"),
                )
                .help("the types are i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64"),
            );
            return None;
        }
        Some(Literal {
            value,
            suffix: suffix.to_owned(),
            src,
        })
    }
}

fn foreign_literal(lit: &Lit, src: SrcSpan) -> Diagnostic {
    match lit {
        Lit::Char(lit) => Diagnostic::new(src, "`char` is not a scalar type of the language")
            .help(char_remedy(lit.value())),
        Lit::Str(_) => Diagnostic::new(src, "there are no strings in the language")
            .help("pass text as bytes: a parameter of type `[u8]`"),
        Lit::ByteStr(_) => Diagnostic::new(src, "there are no strings in the language")
            .help("write an array of bytes: `[b'a', b'b']`"),
        _ => Diagnostic::new(src, "this literal is not part of the language")
            .help("write an integer, a float, `true` or `false`"),
    }
}

fn char_remedy(ch: char) -> String {
    if ch.is_ascii() {
        let byte = char::from(ch as u8).escape_default();
        format!("write the byte `b'{byte}'`")
    } else {
        format!("write its number: `{}`", u32::from(ch))
    }
}
