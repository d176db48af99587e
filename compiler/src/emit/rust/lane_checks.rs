//! Checks in the lanes of a block.
//!
//! In: what must hold in each lane. Out: calls of the flag. A block that ends at the first violation, if its
//! flag says so, returns; one that reaches over the end of few indices notes the checks of all lanes, of
//! which the flag knows how many are indices (LLVM makes of these a chain of bytes otherwise).

use crate::emit::rust::lanes::Printer;
use crate::shaped::ir::Atom;
use std::fmt::Write;

impl Printer<'_> {
    /// Prints a check.
    pub(super) fn check(&mut self, mask: Option<Atom>, ok: Atom, id: u32, values: &[Atom]) {
        let ok = self.atom(ok);
        let violated = match mask {
            Some(mask) => format!("{} & !{ok}", self.atom(mask)),
            None => format!("!{ok}"),
        };
        let values = self.check_values(values);
        let check = match self.context.ends {
            true => format!(
                "let bad = {violated}; flag.check(bad, {id}, {values}); \
                 if const {{ F::ENDS }} && bad {{ return; }}"
            ),
            false => format!("flag.check({violated}, {id}, {values});"),
        };
        if self.context.in_parts {
            return self.check_in_part(&violated, &check);
        }
        let _ = writeln!(self.text, "{check}");
    }

    fn check_values(&self, values: &[Atom]) -> String {
        let mut shown: Vec<String> = values
            .iter()
            .map(|value| format!("{} as i64", self.atom(*value)))
            .collect();
        shown.resize(3, "0".to_owned());
        format!("[{}]", shown.join(", "))
    }

    /// Prints a check in a loop over lanes; `check` is what does it for one.
    fn check_in_part(&mut self, violated: &str, check: &str) {
        let noted = self.noted;
        let _ = writeln!(
            self.text,
            "if const {{ F::OVERHANGS }} {{ c{noted}[l] = {violated}; }} else {{ {check} }}"
        );
        self.noted += 1;
    }

    /// Prints what the checks of the loop that begins at `start` need around it.
    pub(super) fn look_at_noted(&mut self, start: usize) {
        for noted in 0..std::mem::take(&mut self.noted) {
            self.text
                .insert_str(start, &format!("let mut c{noted} = [false; L];\n"));
            let _ = writeln!(self.text, "flag.check_lanes(&c{noted});");
        }
    }
}
