//! Where iterators are read: by who asks for results, or by a thread.

use std::convert::Infallible;
use std::rc::Rc;

ragged::accel! {
    pub fn doubled(xs: Seq<f64>) -> Seq<f64> { xs.map(|x| x + x) }
}

fn main() {
    let first = Rc::new(1.0);
    let here = Rc::clone(&first);
    let _results = doubled(std::iter::from_fn(move || Some(*here)));
    let sink = |_| Ok::<(), Infallible>(());
    let _done = doubled::for_each(std::iter::from_fn(move || Some(*first)), sink);
}
