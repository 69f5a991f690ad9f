//! Results that no run made, so that snapshots stay the same: figures from a fixed pattern, and
//! verdicts written down rather than computed.

use stowmark_results::{
    Case, CaseEngine, EngineFacts, Failure, FsyncProbe, Machine, Plan, PublishedDifference,
    PublishedFigure, Round, RunResult, SCHEMA, Status, Storage, VerdictRecord, Verification,
    Versions, Warning, WarningRecord, histogram,
};

/// A figure that wanders by a few percent around `middle`, the same on every call.
fn wander(middle: f64, execution: u64, index: u64) -> f64 {
    let step = (execution * 7 + index * 3) % 11;
    middle * (1.0 + 0.01 * (step as f64 - 5.0))
}

/// Rounds of so many nanoseconds an operation on the wall and the CPU clock.
pub(crate) fn rounds(executions: u64, per_execution: u64, wall_ns: f64, cpu_ns: f64) -> Vec<Round> {
    let ops = 100;
    let places = (0..executions).flat_map(|e| (0..per_execution).map(move |i| (e, i)));
    let round = |(execution, index)| {
        let wall_ns = wander(wall_ns * ops as f64, execution, index);
        Round {
            execution,
            index,
            position: (execution + index) % 2,
            start_ns: 1_000_000_000 * (execution * per_execution + index),
            ops,
            bytes: ops * 10_240,
            wall_ns: wall_ns as u64 + 5_000,
            op_wall_ns: Some(wall_ns),
            cpu_client_ns: Some(wander(cpu_ns * ops as f64, index, execution) as u64),
            ..Round::default()
        }
    };
    places.map(round).collect()
}

pub(crate) fn measured(label: &str, rounds: Vec<Round>) -> CaseEngine {
    CaseEngine { label: label.into(), rounds, ..CaseEngine::default() }
}

pub(crate) fn facts(label: &str, engine: &str, tier: &str) -> EngineFacts {
    EngineFacts {
        label: label.into(),
        engine: engine.into(),
        stores: true,
        tier: Some(tier.into()),
        ..EngineFacts::default()
    }
}

pub(crate) fn case(op: &str, size_label: &str, size_bytes: u64, engines: Vec<CaseEngine>) -> Case {
    Case {
        id: format!("{op}-{size_label}"),
        op: op.into(),
        size_bytes,
        size_label: size_label.into(),
        clients: 1,
        ops_per_round: 100,
        engines,
        ..Case::default()
    }
}

pub(crate) fn verdict(clock: &str, outcome: &str, ratio: Option<[f64; 3]>) -> VerdictRecord {
    VerdictRecord {
        engine: "filesystem".into(),
        baseline: "redb".into(),
        clock: clock.into(),
        outcome: outcome.into(),
        ratio: ratio.map(|[value, _, _]| value),
        ratio_low: ratio.map(|[_, low, _]| low),
        ratio_high: ratio.map(|[_, _, high]| high),
        level: Some(0.9975),
        p_value: ratio.map(|_| 0.000_12),
        ..VerdictRecord::default()
    }
}

fn no_difference(clock: &str) -> VerdictRecord {
    VerdictRecord {
        smallest_detectable_percent: Some(4.2),
        executions_to_settle: Some(12),
        ..verdict(clock, "no-difference-shown", Some([1.01, 0.98, 1.04]))
    }
}

fn machine() -> Machine {
    Machine {
        os: Some("Linux".into()),
        kernel: Some("6.1.0-18-amd64".into()),
        cpu_model: Some("Imagined CPU 9000".into()),
        cores: Some(2),
        memory_bytes: Some(8 << 30),
        storage: Some(Storage {
            file_system: Some("ext4".into()),
            device: Some("vda".into()),
            device_write_cache: Some("write back".into()),
            fsync_probe: Some(FsyncProbe {
                writes: 50,
                write_bytes: 4096,
                median_ns: 1_234_567,
                min_ns: 912_000,
                max_ns: 3_100_000,
                device_flushes: Some(51),
                ..FsyncProbe::default()
            }),
            ..Storage::default()
        }),
        ..Machine::default()
    }
}

fn plan() -> Plan {
    Plan {
        suite: Some("blob-store".into()),
        title: Some("store and read whole blobs".into()),
        data: Some("text".into()),
        key_order: Some("random".into()),
        executions: Some(5),
        rounds: Some(6),
        clients: Some(1),
        confidence: Some(0.99),
        baseline: Some("redb".into()),
        ..Plan::default()
    }
}

fn result(engines: Vec<EngineFacts>, cases: Vec<Case>) -> RunResult {
    RunResult {
        schema: SCHEMA.into(),
        status: Status::Complete,
        started: Some("2030-01-02T03:04:05Z".into()),
        seed: Some("18446744073709551615".into()),
        plan: plan(),
        versions: Versions::default(),
        machine: machine(),
        engines,
        cases,
        ..RunResult::default()
    }
}

/// Two engines of one tier in three cases: clocks that disagree, no difference, and a figure near
/// its floor; percentiles and first bytes for the get.
pub(crate) fn ordinary() -> RunResult {
    let floor = || Some(measured("null", rounds(5, 6, 60.0, 55.0)));
    let small = Case {
        floor: floor(),
        payload_compressibility: Some(0.31),
        verdicts: vec![
            verdict("wall", "faster", Some([0.47, 0.42, 0.53])),
            verdict("cpu", "slower", Some([1.31, 1.04, 1.65])),
        ],
        ..case(
            "put",
            "1k",
            1024,
            vec![
                measured("redb", rounds(5, 6, 1_234_567.0, 45_000.0)),
                measured("filesystem", rounds(5, 6, 580_000.0, 59_000.0)),
            ],
        )
    };
    let large = Case {
        floor: floor(),
        verdicts: vec![no_difference("wall"), verdict("cpu", "below-resolution", None)],
        ..case(
            "put",
            "10k",
            10_240,
            vec![
                measured("redb", rounds(5, 6, 1_300_000.0, 50_000.0)),
                measured("filesystem", rounds(5, 6, 1_310_000.0, 51_000.0)),
            ],
        )
    };
    let mut recorded = histogram::empty();
    for ns in 0..1000 {
        recorded.record(400 + ns).unwrap();
    }
    let mut read = measured("redb", rounds(5, 6, 500.0, 480.0));
    read.histogram = Some(histogram::encode(&recorded));
    for round in &mut read.rounds {
        round.first_byte_ns = Some(12_000.0);
    }
    let get = Case {
        floor: floor(),
        verdicts: vec![verdict("wall", "slower", Some([46.0, 45.1, 46.9]))],
        ..case(
            "get",
            "10k",
            10_240,
            vec![read, measured("filesystem", rounds(5, 6, 23_000.0, 23_000.0))],
        )
    };

    let engines = vec![
        EngineFacts {
            library: Some("redb 4.6.0".into()),
            tier_how: Some("Durability::Immediate".into()),
            ..facts("redb", "redb", "media")
        },
        EngineFacts {
            tier_how: Some("fsync of file and folders".into()),
            options: [("fan_out".to_owned(), "256".to_owned())].into(),
            ..facts("filesystem", "filesystem", "media")
        },
        EngineFacts { is_floor: true, ..facts("null", "null", "media") },
    ];
    let mut result = result(engines, vec![small, large, get]);
    let drift = |case: &str, percent| WarningRecord {
        case: Some(case.into()),
        label: Some("redb".into()),
        clock: Some("wall".into()),
        ..Warning::Drift { percent }.record()
    };
    let one_outlier = |case: &str| WarningRecord {
        case: Some(case.into()),
        ..Warning::Outliers { count: 1, of: 30 }.record()
    };
    let burst =
        Warning::ShortBurst { round_ns: 20_000_000, case: "put-10k".into(), ops: Some(5000) };
    let burst = burst.record();
    result.warnings = vec![
        burst,
        drift("put-1k", 12.0),
        drift("put-10k", 8.0),
        one_outlier("put-1k"),
        one_outlier("get-10k"),
        drift("get-10k", -9.0),
        drift("get-1M", 7.0),
        Warning::Governor { name: "powersave".into() }.record(),
    ];
    result
}

/// One execution of twenty rounds with the published figures beside.
pub(crate) fn as_published() -> RunResult {
    let within = |record| VerdictRecord { within_this_execution: true, ..record };
    let put = Case {
        verdicts: vec![
            within(verdict("wall", "faster", Some([0.52, 0.37, 0.70]))),
            within(VerdictRecord { executions_to_settle: None, ..no_difference("cpu-client") }),
        ],
        ..case(
            "put",
            "1k",
            1024,
            vec![
                measured("redb", rounds(1, 20, 1_796_800.0, 274_800.0)),
                measured("filesystem", rounds(1, 20, 934_000.0, 270_000.0)),
            ],
        )
    };
    let engines = vec![facts("redb", "redb", "media"), facts("filesystem", "filesystem", "media")];
    let mut result = result(engines, vec![put]);
    let mean = |engine: &str, mean_s| PublishedFigure {
        op: "put".into(),
        size_bytes: 1024,
        clock: "cpu-client".into(),
        engine: engine.into(),
        mean_s,
        ..PublishedFigure::default()
    };
    result.plan.published = true;
    result.plan.executions = Some(1);
    result.plan.rounds = Some(20);
    result.plan.published_note =
        Some("The published clock was the client's CPU time, which names another winner.".into());
    result.plan.published_figures = vec![mean("gridfs", 0.001_796_8), mean("lobject", 0.000_274_8)];
    result.plan.published_differences = vec![PublishedDifference {
        op: "put".into(),
        size_bytes: 1024,
        clock: "cpu-client".into(),
        engine: "lobject".into(),
        baseline: "gridfs".into(),
        percent: -84.7,
        plus_minus_percent: Some(15.1),
        confidence_percent: Some(99.0),
        ..PublishedDifference::default()
    }];
    result
}

/// Different tiers, a drain, and the longest of everything that stands in a row.
pub(crate) fn unequal_promises() -> RunResult {
    let label = "an-engine-with-a-label-that-nobody-would-type";
    let mut bulky = rounds(2, 3, 123_456.0, 99_000.0);
    for round in &mut bulky {
        round.drain_wall_ns = Some(50_000_000);
    }
    let floor = Some(measured("null", rounds(2, 3, 20_000.0, 20_000.0)));
    let about = |record| VerdictRecord { engine: label.into(), ..record };
    let put = Case {
        floor,
        verdicts: vec![
            about(verdict("wall", "different-promises", Some([0.1, 1e-300, f64::MAX]))),
            about(verdict("cpu", "too-few-samples", None)),
        ],
        ..case(
            "put",
            "10k",
            10_240,
            vec![measured("redb", rounds(2, 3, 1_234_567.0, 45_000.0)), measured(label, bulky)],
        )
    };
    result(vec![facts("redb", "redb", "media"), facts(label, "other", "unacknowledged")], vec![put])
}

/// A run that ended early: one engine died, the other returned wrong data, and texts from plugins
/// hold escape codes, line ends and markup.
pub(crate) fn broken() -> RunResult {
    let mut wrong = measured("filesystem", rounds(1, 2, 580_000.0, 59_000.0));
    wrong.verification = Some(Verification {
        outcome: "mismatch".into(),
        message: Some("key 7: byte 12 is 0x00, should be 0x41".into()),
        ..Verification::default()
    });
    let put = case("put", "1k", 1024, vec![measured("redb", Vec::new()), wrong]);
    let engines = vec![facts("redb", "redb", "media"), facts("filesystem", "filesystem", "media")];
    let mut result = result(engines, vec![put]);
    result.status = Status::Interrupted;
    result.failures = vec![Failure {
        label: "redb".into(),
        execution: Some(0),
        case: Some("put-1k".into()),
        phase: "round".into(),
        cause: "SIGSEGV".into(),
        message: "the worker was killed".into(),
        log: vec!["first".into(), "\u{1b}[31mpanicked at a|b\n*here*\u{1b}[0m".into()],
        ..Failure::default()
    }];
    result
}
