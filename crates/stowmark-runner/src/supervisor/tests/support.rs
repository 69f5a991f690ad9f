//! A plan, a run of it on a fake crew, and what came of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use stowmark_host::{EngineManifest, Manifest, PluginFile, TierManifest};
use stowmark_results::{Case, CaseEngine, Failure, RunResult, file};
use stowmark_workload::{Suite, Workload};

use super::fake::{FakeCrew, Fault, LAST_LINE, Model, Note, On, World};
use crate::event::Event;
use crate::plan::{Durability, FLOOR_LABEL, Order, Plan, PlannedCase, PlannedEngine};
use crate::protocol::{self, Work};
use crate::supervisor::book::Book;
use crate::supervisor::crew::{Cause, Trouble};
use crate::supervisor::folder::DataFolder;
use crate::supervisor::schedule::{End, Schedule};
use crate::supervisor::{Settings, Stop};

/// A plan for engines of these labels: two executions of four rounds of put and get at 1k, unless
/// the suite's workload is changed.
pub(super) fn plan(labels: &[&str], change: impl FnOnce(&mut Workload)) -> Plan {
    let text = r#"
        name = "fake"
        title = "No engine at all"
        model = "blobs"
        [workload]
        op = ["put", "get"]
        size = ["1k"]
        executions = 2
        rounds = 4
    "#;
    let suite = Suite::parse("fake.toml", text).unwrap();
    let mut workload = suite.workload.clone();
    change(&mut workload);
    let cases = workload.size.iter().flat_map(|size| {
        workload.op.iter().map(|op| PlannedCase {
            id: format!("{op}-{}", stowmark_workload::format_size(*size)),
            op: *op,
            size: *size,
        })
    });
    Plan {
        cases: cases.collect(),
        engines: labels.iter().copied().chain([FLOOR_LABEL]).map(engine).collect(),
        suite,
        suite_file: None,
        published: None,
        as_published: false,
        workload,
        baseline: labels[0].into(),
        durability: Durability::Strongest,
        order: Order::Interleaved,
        confidence: 0.99,
        seed: 1,
        timeout: Duration::from_secs(1),
    }
}

fn engine(label: &str) -> PlannedEngine {
    let is_floor = label == FLOOR_LABEL;
    let manifest = EngineManifest {
        name: label.into(),
        help: String::new(),
        library: None,
        models: vec!["blobs".into()],
        stores: !is_floor,
        options: Vec::new(),
        tiers: vec![TierManifest { tier: "os".into(), how: String::new() }],
        default_tier: "os".into(),
        services: Vec::new(),
    };
    let plugin = Manifest {
        name: label.into(),
        version: "1.0.0".into(),
        kit: String::new(),
        rustc: String::new(),
        profile: String::new(),
        abi: stowmark_host::AbiVersion::OURS,
        engines: vec![manifest.clone()],
    };
    PlannedEngine {
        label: label.into(),
        plugin: PluginFile { path: "/nowhere".into(), manifest: plugin, needed: Vec::new() },
        manifest,
        options: BTreeMap::new(),
        tier: "os".into(),
        is_floor,
    }
}

/// A run to be.
pub(super) struct Bench {
    plan: Plan,
    world: World,
}

impl Bench {
    pub(super) fn new(plan: Plan) -> Self {
        Self { plan, world: World::default() }
    }

    /// That engine behaves like that.
    pub(super) fn model(mut self, label: &str, model: Model) -> Self {
        self.world.models.insert(label.into(), model);
        self
    }

    /// An operation of that engine takes so long.
    pub(super) fn takes(self, label: &str, op_ns: f64) -> Self {
        self.model(label, Model { op_ns, ..Model::default() })
    }

    /// That goes wrong when that engine is asked that for the `nth` time in the run, from 0.
    pub(super) fn fault(mut self, label: &str, on: On, nth: usize, fault: Fault) -> Self {
        self.world.faults.insert((label.into(), on, nth), fault);
        self
    }

    /// The user asks to end when the crew is asked something for the `nth` time, from 0.
    pub(super) fn stop_at(mut self, nth: usize) -> Self {
        self.world.stop_at = Some(nth);
        self
    }

    /// Runs it to its end, with the result file read again whenever it may have been written.
    pub(super) fn run(self) -> Outcome {
        let Self { plan, world } = self;
        let temporary = tempfile::tempdir().unwrap();
        let out = temporary.path().join("result.json");
        let data_dir = temporary.path().join("data");
        let settings = Settings {
            data_dir: data_dir.clone(),
            out: out.clone(),
            allow_volatile: false,
            harness_version: "0.0.0".into(),
            command_line: Vec::new(),
            worker_program: "/nowhere".into(),
            worker_arguments: Vec::new(),
        };
        let stop: Stop = world.stop.clone();
        let world = Rc::new(RefCell::new(world));
        let (folder, _) = DataFolder::take(&data_dir).unwrap();
        let mut book = Book::open(&plan, &settings);
        book.write().unwrap();
        let mut events = Vec::new();
        let mut files = Vec::new();
        let mut emit = |event: Event| {
            if matches!(event, Event::Case { .. }) {
                files.push(read(&out));
            }
            events.push(event);
        };
        let crew = FakeCrew(world.clone());
        let end = Schedule::new(&plan, crew, &folder, &mut book, &stop, &mut emit).run();
        book.write().unwrap();
        let world = Rc::into_inner(world).expect("all workers are gone").into_inner();
        assert!(world.all_ended(), "a worker was left behind");
        Outcome { result: read(&out), files, events, end, world, plan }
    }
}

fn read(path: &Path) -> RunResult {
    file::read(path).unwrap()
}

/// What came of a run.
pub(super) struct Outcome {
    /// The result file at the end.
    pub(super) result: RunResult,
    /// The result file at the beginning of each case.
    pub(super) files: Vec<RunResult>,
    pub(super) events: Vec<Event>,
    pub(super) end: End,
    pub(super) world: World,
    pub(super) plan: Plan,
}

impl Outcome {
    pub(super) fn case(&self, id: &str) -> &Case {
        self.result.cases.iter().find(|case| case.id == id).unwrap()
    }

    /// An engine's figures in a case, or the floor's.
    pub(super) fn figures(&self, id: &str, label: &str) -> &CaseEngine {
        let case = self.case(id);
        let all = case.engines.iter().chain(&case.floor);
        all.into_iter().find(|figures| figures.label == label).unwrap()
    }

    /// What was asked of that engine.
    pub(super) fn notes(&self, label: &str) -> Vec<&Note> {
        self.world.notes.iter().filter(|note| note.label == label).collect()
    }

    /// The pieces of work that an engine was given, warm-up included.
    pub(super) fn work(&self, label: &str, execution: u64, op: &str) -> Vec<&Work> {
        let notes = self.notes(label).into_iter().filter(|note| note.execution == execution);
        notes
            .filter_map(|note| match &note.order {
                Some(protocol::Order::Work(work)) if work.op == op => Some(work),
                _ => None,
            })
            .collect()
    }

    /// The rounds among them: the last so many.
    pub(super) fn rounds(&self, label: &str, execution: u64, op: &str) -> Vec<&Work> {
        let mut work = self.work(label, execution, op);
        work.split_off(work.len() - self.plan.workload.rounds as usize)
    }

    /// Checks that the engine has all figures of all cases.
    pub(super) fn assert_complete(&self, label: &str) {
        let workload = &self.plan.workload;
        for case in &self.result.cases {
            let figures = self.figures(&case.id, label);
            let places: Vec<_> = figures.rounds.iter().map(|r| (r.execution, r.index)).collect();
            let mut sorted = places.clone();
            sorted.sort_unstable();
            let expected: Vec<_> = (0..u64::from(workload.executions))
                .flat_map(|execution| (0..workload.rounds.into()).map(move |at| (execution, at)))
                .collect();
            assert_eq!(sorted, expected, "{label} at {}", case.id);
            assert!(figures.verification.is_some(), "{label} at {}", case.id);
            assert_eq!(figures.storage.len(), workload.executions as usize);
        }
    }

    /// The only failure of the run.
    pub(super) fn only_failure(&self) -> &Failure {
        assert_eq!(self.result.failures.len(), 1, "{:#?}", self.result.failures);
        let told = self.events.iter().filter(|event| matches!(event, Event::Failed { .. }));
        assert_eq!(told.count(), 1);
        &self.result.failures[0]
    }
}

/// A trouble of that cause, with something in each place.
pub(super) fn trouble(cause: &str) -> Trouble {
    Trouble::Failed(Cause {
        cause: cause.into(),
        message: format!("it was {cause}"),
        log: vec![LAST_LINE.into()],
    })
}
