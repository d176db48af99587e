//! What passes between the job that computes and the thread that hands its results on.
//!
//! In: results, and room for others. Out: the same on the other side, in order.
//! Assumes: there are two that results are put into. So the job, which never waits, finds room for its
//! next ones only where those before the last have been handed on.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Between a job and the thread that has spawned it.
pub(super) struct Handover<O> {
    between: Mutex<Between<O>>,
    changed: Condvar,
}

struct Between<O> {
    made: VecDeque<O>,
    room: Option<O>,
    /// How long handing on took that made the room.
    took: Duration,
    /// The job has given its last results.
    is_last: bool,
    /// The job makes no more, since it has, or after a panic.
    is_over: bool,
}

impl<O: Default> Handover<O> {
    pub(super) fn new() -> Self {
        let between = Between {
            made: VecDeque::with_capacity(2),
            room: None,
            took: Duration::ZERO,
            is_last: false,
            is_over: false,
        };
        Handover {
            between: Mutex::new(between),
            changed: Condvar::new(),
        }
    }

    /// Nobody panics while this is held.
    fn between(&self) -> MutexGuard<'_, Between<O>> {
        self.between.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job gives results. If it would go on it gets room for others, where there is some, and how
    /// long it took to hand on what was there before; otherwise it is over.
    pub(super) fn give(&self, made: O, goes_on: bool) -> Option<(O, Duration)> {
        let mut between = self.between();
        between.made.push_back(made);
        let room = between.room.take_if(|_| goes_on);
        between.is_last = room.is_none();
        between.is_over = between.is_last;
        self.changed.notify_one();
        room.map(|room| (room, between.took))
    }

    /// What was handed on in this time has left room: waits for the next results, if they are not the
    /// job's last ones, which remain for [`Handover::rest`].
    pub(super) fn next(&self, room: O, took: Duration) -> Option<O> {
        let mut between = self.between();
        between.room = Some(room);
        between.took = took;
        let waits = |between: &mut Between<O>| between.made.is_empty() && !between.is_over;
        let between = self.changed.wait_while(between, waits);
        let mut between = between.unwrap_or_else(PoisonError::into_inner);
        let is_last = between.is_last && between.made.len() < 2;
        if is_last {
            None
        } else {
            between.made.pop_front()
        }
    }

    /// Once the job is over: its last results, and the room that there is.
    pub(super) fn rest(self) -> (O, Option<O>) {
        let between = self.between.into_inner();
        let mut between = between.unwrap_or_else(PoisonError::into_inner);
        (between.made.pop_front().unwrap_or_default(), between.room)
    }
}

/// Ends the waiting at last, also after a panic in the job.
pub(super) struct Ends<'a, O: Default>(pub &'a Handover<O>);

impl<O: Default> Drop for Ends<'_, O> {
    fn drop(&mut self) {
        self.0.between().is_over = true;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_the_last_remain() {
        let handover = Handover::new();
        assert_eq!(handover.give(vec![1], true), None);
        // Nothing has been handed on, so the job is over.
        assert_eq!(handover.next(vec![0], Duration::ZERO), None);
        assert_eq!(handover.rest(), (vec![1], Some(vec![0])));
    }

    #[test]
    fn a_job_goes_on_while_there_is_room() {
        let took = Duration::from_millis(3);
        let handover = Handover::new();
        let handed_on = std::thread::scope(|scope| {
            let job = scope.spawn(|| {
                let mut made = 0;
                loop {
                    while handover.between().room.is_none() {
                        std::thread::yield_now();
                    }
                    match handover.give(vec![made], made < 2) {
                        Some(room) => assert_eq!(room, (vec![9], took)),
                        None => return made,
                    }
                    made += 1;
                }
            });
            let mut handed_on = Vec::new();
            while let Some(next) = handover.next(vec![9], took) {
                handed_on.extend(next);
            }
            assert_eq!(job.join().expect("no panic"), 2);
            handed_on
        });
        assert_eq!(handed_on, [0, 1]);
        assert_eq!(handover.rest(), (vec![2], Some(vec![9])));
    }

    #[test]
    fn what_was_given_before_a_panic_is_handed_on() {
        let handover = Handover::new();
        handover.between().room = Some(vec![0]);
        assert!(handover.give(vec![1], true).is_some());
        drop(Ends(&handover));
        assert_eq!(handover.next(vec![0], Duration::ZERO), Some(vec![1]));
        assert_eq!(handover.next(vec![0], Duration::ZERO), None);
    }
}
