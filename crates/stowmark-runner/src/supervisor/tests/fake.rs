//! A crew without processes: its workers keep blobs as numbers, take the time that a model says,
//! fail when they are told to, and note every order together with who was running meanwhile.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use stowmark_results::histogram;
use stowmark_workload::derive_seed;

use crate::event::Event;
use crate::plan::PlannedEngine;
use crate::protocol::{
    Answer, Failed, LogLine, Opened, Order, Range, Stored, Verified, VerifyOrder, Work, Worked,
};
use crate::supervisor::Stop;
use crate::supervisor::crew::{Crew, Trouble, Worker};

/// What every worker says last.
pub(super) const LAST_LINE: &str = "the last line";

/// How an engine behaves.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The mean time of an operation.
    pub(super) op_ns: f64,
    /// How far a round may be off, as a share, alike for all engines of that round.
    pub(super) machine_noise: f64,
    /// How far a round may be off, as a share, for this engine alone.
    pub(super) own_noise: f64,
    /// Every so manyth operation fails.
    pub(super) fails_every: Option<u64>,
    /// Whether other bytes come back than were put.
    pub(super) spoils: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            op_ns: 100_000.0,
            machine_noise: 0.0,
            own_noise: 0.0,
            fails_every: None,
            spoils: false,
        }
    }
}

/// What a worker is asked.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum On {
    Start,
    Open,
    Case,
    Work,
    Preload,
    Verify,
    Storage,
    Close,
    Pause,
    Resume,
}

impl On {
    fn of(order: &Order) -> Self {
        match order {
            Order::Open(_) => Self::Open,
            Order::Case => Self::Case,
            Order::Work(_) => Self::Work,
            Order::Preload(_) => Self::Preload,
            Order::Verify(_) => Self::Verify,
            Order::Storage => Self::Storage,
            Order::Close => Self::Close,
        }
    }
}

/// What goes wrong.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// The worker or its engine fails.
    Fails(Trouble),
    /// The worker answers something else than it was asked.
    Nonsense,
    /// The user asks to end; the worker still answers.
    Stop,
}

/// One thing that was asked of one worker.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) label: String,
    pub(super) execution: u64,
    pub(super) on: On,
    pub(super) order: Option<Order>,
    /// Who else was neither stopped nor ended.
    pub(super) others_running: Vec<String>,
}

/// Whether a worker can do anything.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum State {
    Running,
    Stopped,
    Ended,
}

/// All that the workers share.
#[derive(Default)]
pub(super) struct World {
    /// Engines that behave otherwise than by default, by label.
    pub(super) models: BTreeMap<String, Model>,
    /// What goes wrong, by label, at which of all times that it is asked that (from 0).
    pub(super) faults: BTreeMap<(String, On, usize), Fault>,
    /// The user asks to end at that note (from 0).
    pub(super) stop_at: Option<usize>,
    pub(super) stop: Stop,
    /// All that was asked, in order.
    pub(super) notes: Vec<Note>,
    /// Keys that were put though they were there.
    pub(super) overwritten: u64,
    now_ns: u64,
    asked: BTreeMap<(String, On), usize>,
    states: BTreeMap<String, State>,
}

impl World {
    fn model(&self, label: &str) -> Model {
        self.models.get(label).cloned().unwrap_or_default()
    }

    /// Whether every worker that was started has been ended.
    pub(super) fn all_ended(&self) -> bool {
        self.states.values().all(|state| *state == State::Ended)
    }

    /// Writes down what is asked, and says what goes wrong with it.
    fn note(&mut self, label: &str, on: On, order: Option<&Order>) -> Option<Fault> {
        let times = self.asked.entry((label.into(), on)).or_default();
        let nth = *times;
        *times += 1;
        let others = self.states.iter();
        let others = others.filter(|(other, state)| *other != label && **state == State::Running);
        let others_running = others.map(|(other, _)| other.clone()).collect();
        let starts = self.asked.get(&(label.into(), On::Start)).copied().unwrap_or(1);
        if self.stop_at == Some(self.notes.len()) {
            self.stop.request(2);
        }
        self.notes.push(Note {
            label: label.into(),
            execution: starts as u64 - 1,
            on,
            order: order.cloned(),
            others_running,
        });
        let fault = self.faults.get(&(label.into(), on, nth)).cloned();
        if matches!(fault, Some(Fault::Stop)) {
            self.stop.request(2);
        }
        fault
    }
}

/// Starts workers that are no processes.
pub(super) struct FakeCrew(pub(super) Rc<RefCell<World>>);

impl Crew for FakeCrew {
    type Worker = FakeWorker;

    fn start(&mut self, engine: &PlannedEngine) -> Result<FakeWorker, Trouble> {
        let mut world = self.0.borrow_mut();
        if let Some(Fault::Fails(trouble)) = world.note(&engine.label, On::Start, None) {
            return Err(trouble);
        }
        world.states.insert(engine.label.clone(), State::Running);
        Ok(FakeWorker {
            world: self.0.clone(),
            label: engine.label.clone(),
            stores: engine.manifest.stores,
            clients: 1,
            blobs: BTreeSet::new(),
            operations: 0,
            events: Vec::new(),
        })
    }

    fn now_ns(&self) -> u64 {
        self.0.borrow().now_ns
    }
}

/// One worker that is no process.
pub(super) struct FakeWorker {
    world: Rc<RefCell<World>>,
    label: String,
    stores: bool,
    clients: u32,
    /// Population and number of each blob that is there.
    blobs: BTreeSet<(u16, u64)>,
    operations: u64,
    events: Vec<Event>,
}

impl FakeWorker {
    /// Does one operation on one blob, or fails it.
    fn operate(&mut self, op: &str, blob: (u16, u64), fails_every: Option<u64>) -> bool {
        self.operations += 1;
        if fails_every.is_some_and(|every| self.operations.is_multiple_of(every)) {
            return false;
        }
        if !self.stores {
            return true;
        }
        match op {
            "put" => {
                if !self.blobs.insert(blob) {
                    self.world.borrow_mut().overwritten += 1;
                }
                true
            }
            "get" => self.blobs.contains(&blob),
            _ => self.blobs.remove(&blob),
        }
    }

    fn work(&mut self, work: &Work) -> Worked {
        let model = self.world.borrow().model(&self.label);
        let Range { population, first, count, size } = work.range;
        if work.op != "get" {
            assert_eq!(work.ops, count, "a put or delete takes each blob of its range once");
        }
        let done = (0..work.ops)
            .filter(|at| {
                self.operate(&work.op, (population, first + at % count), model.fails_every)
            })
            .count() as u64;
        let failed = work.ops - done;
        let mut world = self.world.borrow_mut();
        let machine = share(derive_seed(work.seed, &[7])) * model.machine_noise;
        let own = share(derive_seed(work.seed, &[hash(&self.label)])) * model.own_noise;
        let op_ns = model.op_ns * (1.0 + machine) * (1.0 + own);
        let wall_ns = (op_ns * work.ops as f64 / f64::from(self.clients)) as u64;
        let start_ns = world.now_ns;
        world.now_ns += wall_ns + work.settle_ns;
        let mut times = histogram::empty();
        times.record_n(op_ns as u64, done).unwrap();
        Worked {
            ops: done,
            bytes: done * size,
            start_ns,
            wall_ns,
            op_wall_ns: op_ns * done as f64,
            cpu_client_ns: wall_ns / 2,
            errors: (failed > 0).then(|| ("transient".into(), failed)).into_iter().collect(),
            first_error: (failed > 0)
                .then(|| Failed { class: "transient".into(), message: "asked to fail".into() }),
            histogram: histogram::encode(&times),
            ..Worked::default()
        }
    }

    fn verify(&self, order: VerifyOrder) -> Verified {
        let range = order.range;
        let there = (range.first..range.first + range.count)
            .filter(|index| self.blobs.contains(&(range.population, *index)))
            .count() as u64;
        let missing = if order.gone { there } else { range.count - there };
        let spoils = self.world.borrow().model(&self.label).spoils;
        Verified {
            blobs: range.count,
            bytes: there * range.size,
            missing,
            first_missing: None,
            mismatch: (spoils || missing > order.may_miss)
                .then(|| format!("{missing} blobs are not as they should be")),
            class: None,
        }
    }

    fn answer(&mut self, order: &Order) -> Answer {
        match order {
            Order::Open(open) => {
                self.clients = open.clients;
                Answer::Opened(Opened { clock: "counted".into(), ..Opened::default() })
            }
            Order::Case => Answer::Ready,
            Order::Work(work) => Answer::Worked(self.work(work)),
            Order::Preload(range) => {
                let blobs =
                    (range.first..range.first + range.count).map(|at| (range.population, at));
                self.blobs.extend(blobs);
                Answer::Worked(Worked { ops: range.count, ..Worked::default() })
            }
            Order::Verify(verify) => Answer::Verified(self.verify(*verify)),
            Order::Storage => Answer::Stored(Stored {
                engine: [("blobs".to_string(), self.blobs.len() as u64)].into(),
                ..Stored::default()
            }),
            Order::Close => Answer::Closed,
        }
    }

    fn control(&mut self, on: On, state: State) -> Result<(), Trouble> {
        let mut world = self.world.borrow_mut();
        if let Some(Fault::Fails(trouble)) = world.note(&self.label, on, None) {
            return Err(trouble);
        }
        world.states.insert(self.label.clone(), state);
        Ok(())
    }
}

impl Worker for FakeWorker {
    fn order(&mut self, order: &Order) -> Result<Answer, Trouble> {
        let fault = {
            let mut world = self.world.borrow_mut();
            let state = world.states[&self.label];
            assert_eq!(state, State::Running, "{} is ordered {order:?}", self.label);
            world.note(&self.label, On::of(order), Some(order))
        };
        match fault {
            Some(Fault::Fails(trouble)) => Err(trouble),
            Some(Fault::Nonsense) => Ok(Answer::Log(LogLine::default())),
            Some(Fault::Stop) | None => Ok(self.answer(order)),
        }
    }

    fn pause(&mut self) -> Result<(), Trouble> {
        self.control(On::Pause, State::Stopped)
    }

    fn resume(&mut self) -> Result<(), Trouble> {
        self.control(On::Resume, State::Running)
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn last_lines(&self) -> Vec<String> {
        vec![LAST_LINE.into()]
    }

    fn end(&mut self) {
        self.world.borrow_mut().states.insert(self.label.clone(), State::Ended);
    }
}

/// A number from -1 to 1 that follows from the seed; its mean is 0.
fn share(seed: u64) -> f64 {
    (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn hash(label: &str) -> u64 {
    label.bytes().fold(0, |hash, byte| derive_seed(hash, &[byte.into()]))
}
