//! Header comments of program files.
//!
//! In: the text of a block. Out: what its comments of these forms say; `line` counts from 1.
//!
//! ```text
//! // call: dotp([1.0, 2.0], [3.0, 4.0]) => 11.0
//! // call: f([1], 7) fails: index 7 is out of range
//! // call: f(random(1, 100000)) agrees
//! // call: fast(random(1, 1000)) agrees within 2 ulp
//! // explain dotp: kernels 1, intermediates 0, regular
//! // explain dotp says: avoided: `xs`, `ys`, `x`, `y`, the result
//! // explain dotp checks: 1
//! // explain dotp: kernels 1, intermediates 0, regular, work O(n), depth O(1), space O(1) to O(n)
//! // wants two: kernels 1, intermediates 0, regular
//! // each n: 0 1 63 64 65
//! // call: sum(ramp($n)) agrees
//! // for T: f32 f64
//! ```
//!
//! A first line may be pinned without the costs at its end. `explain … says` is what one of the other lines ends with,
//! `explain … checks` how many lines say what is checked. `wants` is what the program deserves and does not get yet: it fails once it does. `each` makes a
//! call with `$n` a call for each of the words. `for` makes the file a template: a program for each
//! word, in which `$T` stands for it.

use syn::Expr;

/// What the comments say.
pub struct Header {
    /// Calls, in order.
    pub calls: Vec<Call>,
    /// Functions and their first lines of `EXPLAIN`.
    pub explains: Vec<(String, String)>,
    /// Functions and other lines of `EXPLAIN`.
    pub says: Vec<(String, String)>,
    /// Functions and how many lines of `EXPLAIN` say what is checked.
    pub checks: Vec<(String, usize)>,
    /// First lines that are not reached yet.
    pub wants: Vec<(String, String)>,
}

/// One call and what must come of it.
pub struct Call {
    /// The line of the comment.
    pub line: usize,
    /// The comment, for messages.
    pub text: String,
    /// The exported function.
    pub function: String,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// What must come of it.
    pub outcome: Outcome,
}

/// What must come of a call.
pub enum Outcome {
    /// This value.
    Gives(Box<Expr>),
    /// An error whose message contains this.
    Fails(String),
    /// What the interpreter gives.
    Agrees,
    /// What the interpreter gives, but for so many units in the last place of each float.
    Near(u64),
}

/// The header of a program.
///
/// # Panics
/// If a comment that looks like one of ours cannot be read.
pub fn header(text: &str) -> Header {
    let mut header = Header {
        calls: Vec::new(),
        explains: Vec::new(),
        says: Vec::new(),
        checks: Vec::new(),
        wants: Vec::new(),
    };
    let mut each: Option<(String, Vec<&str>)> = None;
    for (line, comment) in comments(text) {
        let (word, rest) = comment.split_once(' ').unwrap_or((comment, ""));
        match word {
            "call:" => match &each {
                Some((name, words)) if rest.contains(name) => {
                    let texts = words.iter().map(|word| rest.replace(name, word));
                    header.calls.extend(texts.map(|text| call(line, &text)));
                }
                _one => header.calls.push(call(line, rest)),
            },
            "explain" => header.explain(rest),
            "wants" => header.wants.extend(pin(rest)),
            "each" => {
                let (name, words) = rest.split_once(": ").expect("`each name: words`");
                each = Some((format!("${name}"), words.split_whitespace().collect()));
            }
            // These would check nothing.
            "explain:" | "wants:" | "each:" => panic!("line {line}: `{word}` has no colon"),
            _prose => {}
        }
    }
    header
}

impl Header {
    fn explain(&mut self, pinned: &str) {
        if let Some((name, line)) = pinned.split_once(" says: ") {
            self.says.push((name.to_owned(), line.to_owned()));
        } else if let Some((name, count)) = pinned.split_once(" checks: ") {
            let count = count.trim_end().parse().expect("a number of checks");
            self.checks.push((name.to_owned(), count));
        } else {
            self.explains.extend(pin(pinned));
        }
    }
}

/// `name: facts`; anything else is prose.
fn pin(text: &str) -> Option<(String, String)> {
    let (name, _) = text.split_once(": kernels")?;
    Some((name.to_owned(), text.to_owned()))
}

/// The programs that a file stands for, each with the words that were put in.
pub fn instances(text: &str) -> Vec<(Vec<String>, String)> {
    let mut programs = vec![(Vec::new(), text.to_owned())];
    let variables = comments(text).filter_map(|(_, comment)| {
        let (name, words) = comment.strip_prefix("for ")?.split_once(": ")?;
        (!name.contains(' ')).then_some((name, words))
    });
    for (name, words) in variables {
        programs = programs
            .into_iter()
            .flat_map(|(used, text)| {
                words.split_whitespace().map(move |word| {
                    let used = used.iter().cloned().chain([word.to_owned()]).collect();
                    (used, text.replace(&format!("${name}"), word))
                })
            })
            .collect();
    }
    programs
}

fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(at, line)| Some((at + 1, line.trim().strip_prefix("// ")?)))
}

fn call(line: usize, text: &str) -> Call {
    let (call, outcome) = split(text).unwrap_or_else(|| panic!("line {line}: `{text}`"));
    let (function, args) =
        callee(call).unwrap_or_else(|error| panic!("line {line}: `{call}`: {error}"));
    Call {
        line,
        text: text.to_owned(),
        function,
        args,
        outcome,
    }
}

fn split(text: &str) -> Option<(&str, Outcome)> {
    if let Some((call, expected)) = text.split_once(" => ") {
        return Some((
            call,
            Outcome::Gives(Box::new(syn::parse_str(expected).ok()?)),
        ));
    }
    if let Some((call, message)) = text.split_once(" fails: ") {
        return Some((call, Outcome::Fails(message.trim().to_owned())));
    }
    if let Some((call, bound)) = text.split_once(" agrees within ") {
        let ulps = bound.trim_end().strip_suffix(" ulp")?;
        return Some((call, Outcome::Near(ulps.parse().ok()?)));
    }
    let call = text.trim_end().strip_suffix(" agrees")?;
    Some((call, Outcome::Agrees))
}

/// The function and the arguments of a call.
pub fn callee(text: &str) -> syn::Result<(String, Vec<Expr>)> {
    let call: syn::ExprCall = syn::parse_str(text)?;
    let Expr::Path(path) = &*call.func else {
        return Err(syn::Error::new_spanned(&call.func, "expected a name"));
    };
    let name = path.path.require_ident()?.to_string();
    Ok((name, call.args.into_iter().collect()))
}
