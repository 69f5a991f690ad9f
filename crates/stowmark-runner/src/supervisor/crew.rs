//! Who does the work: workers as the schedule sees them. Processes in earnest, stand-ins in tests.

use crate::event::Event;
use crate::plan::PlannedEngine;
use crate::protocol::{Answer, Order};

/// Why an order was not carried out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Trouble {
    /// The user ended the run.
    Stopped,
    /// The worker or its engine failed.
    Failed(Cause),
}

/// What a worker or its engine died of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cause {
    /// A class of error, `signal SIGSEGV`, `exit code 1`, `timeout` or `nonsense`.
    pub(crate) cause: String,
    /// For people.
    pub(crate) message: String,
    /// The worker's last lines.
    pub(crate) log: Vec<String>,
}

/// Starts workers.
pub(crate) trait Crew {
    /// What it starts.
    type Worker: Worker;

    /// A worker for the engine; its store is not open yet.
    fn start(&mut self, engine: &PlannedEngine) -> Result<Self::Worker, Trouble>;

    /// Nanoseconds of the clock by which workers tell when a round began.
    fn now_ns(&self) -> u64;
}

/// One worker.
pub(crate) trait Worker {
    /// Carries out an order.
    fn order(&mut self, order: &Order) -> Result<Answer, Trouble>;

    /// Stops the worker and its server where they are.
    fn pause(&mut self) -> Result<(), Trouble>;

    /// Lets them go on.
    fn resume(&mut self) -> Result<(), Trouble>;

    /// What it said since the last time.
    fn take_events(&mut self) -> Vec<Event>;

    /// The last lines that it wrote or logged. Whole once it was ended.
    fn last_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ends it, however it is.
    fn end(&mut self);
}
