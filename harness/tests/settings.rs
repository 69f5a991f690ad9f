//! What the flags of a run change, as its result tells.

use std::fs;

use stowmark_results::{EngineFacts, RunResult};

use crate::support::{Place, figures, library};

fn facts<'a>(result: &'a RunResult, label: &str) -> &'a EngineFacts {
    let labels: Vec<_> = result.engines.iter().map(|engine| &engine.label).collect();
    let found = result.engines.iter().find(|engine| engine.label == label);
    found.unwrap_or_else(|| panic!("no {label} among {labels:?}"))
}

/// Who had its turn when: case, label, execution, round, place and predecessor.
fn turns(result: &RunResult) -> Vec<String> {
    let mut turns = Vec::new();
    for case in &result.cases {
        for engine in case.engines.iter().chain(&case.floor) {
            for round in &engine.rounds {
                let before = round.predecessor.as_deref();
                let (execution, index, position) = (round.execution, round.index, round.position);
                let (id, label, ops) = (&case.id, &engine.label, round.ops);
                turns.push(format!("{id} {label} {execution} {index} {position} {before:?} {ops}"));
            }
        }
    }
    turns
}

#[test]
fn one_engine_stands_beside_itself_with_another_setting() {
    let line = "--engine redb --engine big=redb:cache=256MiB --engine redb:chunk=64k";
    let (outcome, result) = Place::new().weigh(line);
    assert_eq!(facts(&result, "redb").options["cache"], "1073741824");
    assert_eq!(facts(&result, "big").options["cache"], "268435456");
    assert_eq!(facts(&result, "big").settings["cache_bytes"], "268435456");
    // Without an option the suite's holds: both stores of the original cut at 512k.
    assert_eq!(facts(&result, "big").options["chunk"], "524288");
    assert_eq!(facts(&result, "redb:chunk=64k").options["chunk"], "65536");
    assert!(outcome.stdout.contains("big against redb, wall: "), "{outcome}");
    assert!(outcome.stdout.contains("redb:chunk=64k against redb, CPU: "), "{outcome}");
}

#[test]
fn an_engine_may_come_from_a_named_file() {
    let place = Place::new();
    fs::copy(library("redb"), place.path("old.so")).unwrap();
    let (_, result) = place.weigh("--engine redb --engine old=redb@./old.so:chunk=64k");
    let old = facts(&result, "old");
    assert_eq!(old.plugin_path.as_deref(), Some("./old.so"));
    assert_eq!((old.engine.as_str(), old.options["chunk"].as_str()), ("redb", "65536"));
    let redb = facts(&result, "redb");
    assert_eq!(redb.plugin_path.as_deref(), library("redb").to_str());
    assert_eq!(redb.plugin_sha256, old.plugin_sha256);
    assert_eq!(figures(&result, "put-1k", "old").rounds.len(), 2);
}

#[test]
fn put_get_and_delete_are_measured_in_the_order_asked() {
    let (_, result) = Place::new().weigh("--op put,get,delete --size 1k,2k");
    let cases: Vec<_> = result.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(cases, ["put-1k", "get-1k", "delete-1k", "put-2k", "get-2k", "delete-2k"]);
    for case in cases {
        for label in ["redb", "filesystem", "(floor)"] {
            let rounds = &figures(&result, case, label).rounds;
            assert!(rounds.len() == 2 && rounds.iter().all(|round| round.ops == 8), "{case}");
        }
    }
}

#[test]
fn an_operation_alone_finds_what_it_needs() {
    for op in ["get", "delete"] {
        let line = format!("--op {op} --engine redb --durability acknowledged");
        let (_, result) = Place::in_memory().weigh(&line);
        assert_eq!(result.cases.len(), 1);
        assert_eq!(figures(&result, &format!("{op}-1k"), "redb").rounds[0].ops, 8);
    }
}

#[test]
fn clients_share_the_operations_of_a_round() {
    let (_, result) = Place::new().weigh("--clients 4 --ops 10");
    for case in &result.cases {
        assert_eq!((case.clients, case.ops_per_round), (4, 10));
        for engine in case.engines.iter().chain(&case.floor) {
            assert!(engine.rounds.iter().all(|round| round.ops == 10 && round.bytes == 10 * 1024));
        }
    }
    assert_eq!(
        figures(&result, "get-1k", "redb").verification.as_ref().unwrap().outcome,
        "matched"
    );
}

#[test]
fn operations_of_a_round_are_found_for_all_engines_alike() {
    let place = Place::in_memory();
    let line = "run --engine memory --engine null --op get --size 64k --executions 1 --rounds 2 \
                --out result.json";
    place.stowmark(line).exits(0);
    let result = place.result("result.json");
    let case = &result.cases[0];
    let bounds = ["fastest-20ms", "slowest-1s", "bytes-256MiB", "least-one"];
    let found_by = case.ops_found_by.as_deref().unwrap();
    assert!(bounds.contains(&found_by), "{found_by}");
    assert!(case.ops_per_round > 1);
    for engine in case.engines.iter().chain(&case.floor) {
        assert!(engine.rounds.iter().all(|round| round.ops == case.ops_per_round));
    }
    let (_, given) = place.weigh("--engine memory --ops 5");
    assert_eq!(given.cases[0].ops_found_by.as_deref(), Some("given"));
    assert_eq!(given.cases[0].ops_per_round, 5);
}

#[test]
fn published_settings_and_figures_stand_beside_ours() {
    let place = Place::new();
    // Only what makes it short is overridden.
    let line = "run --published --size 1k --rounds 2 --seed 7 --out result.json";
    let outcome = place.stowmark(line);
    outcome.exits(0);
    let published = "published (other engines, another machine), CPU of the client only: gridfs";
    assert!(outcome.stdout.contains(published), "{outcome}");
    assert!(outcome.stdout.contains("as published"), "{outcome}");
    let result = place.result("result.json");
    let plan = &result.plan;
    assert!(plan.published);
    assert_eq!((plan.executions, plan.rounds, plan.ops_per_round), (Some(1), Some(2), Some(1)));
    assert_eq!(plan.ops, ["put"]);
    assert!(!plan.published_figures.is_empty() && !plan.published_differences.is_empty());
}

#[test]
fn a_sequential_order_gives_each_engine_all_its_rounds_at_once() {
    let engines = "--engine memory --engine redb";
    let (_, result) = Place::in_memory().weigh(&format!("{engines} --order sequential --rounds 3"));
    assert_eq!(result.plan.order.as_deref(), Some("sequential"));
    for case in &result.cases {
        let engines: Vec<_> = case.engines.iter().chain(&case.floor).collect();
        for pair in engines.windows(2) {
            let last = pair[0].rounds.iter().map(|round| round.start_ns).max().unwrap();
            let first = pair[1].rounds.iter().map(|round| round.start_ns).min().unwrap();
            assert!(last < first, "{} before {}", pair[0].label, pair[1].label);
        }
    }
    let (_, mixed) = Place::in_memory().weigh(&format!("{engines} --rounds 6"));
    let [one, other] = &mixed.cases[0].engines[..] else { panic!("two engines") };
    let first = |at: usize| one.rounds[at].start_ns < other.rounds[at].start_ns;
    assert!((0..6).any(first) && !(0..6).all(first), "now one is first, now the other");
}

#[test]
fn a_seed_repeats_who_has_its_turn_when() {
    let line = "--engine memory --engine faults --executions 2 --rounds 4";
    let with_seed = |seed: &str| Place::in_memory().weigh(&format!("{line} --seed {seed}")).1;
    let (first, again, other) = (with_seed("7"), with_seed("7"), with_seed("8"));
    assert_eq!(turns(&first), turns(&again));
    assert_ne!(turns(&first), turns(&other));
    let made_of = |result: &RunResult| result.cases[0].payload_compressibility;
    assert_eq!(made_of(&first), made_of(&again));
}

#[test]
fn without_a_seed_the_result_tells_the_one_that_was_taken() {
    let place = Place::in_memory();
    let seeds: Vec<_> = ["a.json", "b.json"]
        .into_iter()
        .map(|out| {
            let line = "run --engine memory --op put --size 1k --executions 1 --rounds 1 --ops 1";
            place.stowmark(&format!("{line} --out {out}")).exits(0);
            place.result(out).seed.unwrap()
        })
        .collect();
    assert_ne!(seeds[0], seeds[1]);
    assert!(seeds.iter().all(|seed| seed.parse::<u64>().is_ok()), "{seeds:?}");
}

#[test]
fn the_strongest_common_tier_is_taken_and_the_one_asked_for() {
    let tiers = |line: &str| -> Vec<String> {
        let (_, result) = Place::new().weigh(line);
        let listed = result.engines.into_iter().filter(|engine| !engine.is_floor);
        listed.map(|engine| engine.tier.unwrap()).collect()
    };
    assert_eq!(tiers(""), ["media", "media"]);
    assert_eq!(tiers("--engine redb --engine memory"), ["acknowledged", "acknowledged"]);
    assert_eq!(tiers("--engine filesystem --durability os"), ["os"]);
    assert_eq!(tiers("--engine redb --durability acknowledged"), ["acknowledged"]);
}

#[test]
fn between_different_promises_there_is_no_winner() {
    let (outcome, result) = Place::new().weigh("--durability default --rounds 6");
    assert_eq!(facts(&result, "redb").tier.as_deref(), Some("media"));
    assert_eq!(facts(&result, "filesystem").tier.as_deref(), Some("os"));
    let verdicts: Vec<_> = result.cases.iter().flat_map(|case| &case.verdicts).collect();
    assert!(!verdicts.is_empty());
    assert!(verdicts.iter().all(|verdict| verdict.outcome == "different-promises"));
    assert!(outcome.stdout.contains("different promises: no winner"), "{outcome}");
    assert!(!outcome.stdout.contains("faster"), "{outcome}");
    assert!(!outcome.stdout.contains("slower"), "{outcome}");
}

#[test]
fn the_baseline_is_the_first_engine_or_the_one_named() {
    let against = |line: &str| -> (String, String) {
        let (_, result) = Place::new().weigh(line);
        let verdict = &result.cases[0].verdicts[0];
        (verdict.engine.clone(), verdict.baseline.clone())
    };
    assert_eq!(against(""), ("filesystem".into(), "redb".into()));
    assert_eq!(against("--baseline filesystem"), ("redb".into(), "filesystem".into()));
}

#[test]
fn payloads_are_of_the_kind_asked_for() {
    let place = Place::in_memory();
    fs::write(place.path("mine.txt"), "Some words, and some more.\n".repeat(40)).unwrap();
    let left_of = |kind: &str| {
        let line = format!("--engine filesystem --durability os --size 64k --data {kind}");
        let (_, result) = place.weigh(&line);
        assert_eq!(result.plan.data.as_deref(), Some(kind));
        let stored = figures(&result, "get-64k", "filesystem");
        assert_eq!(stored.verification.as_ref().unwrap().outcome, "matched", "{kind}");
        result.cases[0].payload_compressibility.unwrap()
    };
    let [text, random, zero, half, file] =
        ["text", "random", "zero", "ratio:0.5", "file:mine.txt"].map(left_of);
    assert!(random > 0.99, "{random}");
    assert!(zero < 0.01, "{zero}");
    assert!(text > 0.1 && text < 0.6, "{text}");
    assert!((half - 0.5).abs() < 0.1, "{half}");
    assert!(file < 0.1, "{file}");
}

#[test]
fn keys_come_in_the_order_asked_for() {
    for order in ["random", "sequential"] {
        let line = format!("--engine redb --durability acknowledged --key-order {order}");
        let (outcome, result) = Place::in_memory().weigh(&line);
        assert_eq!(result.plan.key_order.as_deref(), Some(order));
        assert!(outcome.stdout.contains(&format!("keys in {order} order")), "{outcome}");
        let stored = figures(&result, "get-1k", "redb").verification.as_ref().unwrap();
        assert_eq!(stored.outcome, "matched");
    }
}

#[test]
fn what_was_stored_is_read_back_unless_that_is_not_wanted() {
    let outcome = |line: &str, label: &str| {
        let line = format!("--engine redb --engine memory --engine null --op put {line}");
        let (_, result) = Place::in_memory().weigh(&line);
        let verification = figures(&result, "put-1k", label).verification.clone().unwrap();
        (verification.outcome, verification.blobs)
    };
    let (matched, blobs) = outcome("", "redb");
    assert_eq!(matched, "matched");
    assert!(blobs >= 2 * 8, "{blobs} blobs");
    assert_eq!(outcome("--executions 2", "memory"), ("matched".into(), 2 * blobs));
    assert_eq!(outcome("", "(floor)"), ("not-applicable".into(), 0));
    assert_eq!(outcome("", "null"), ("not-applicable".into(), 0));
    assert_eq!(outcome("--verify none", "redb"), ("skipped".into(), 0));
}

#[test]
fn a_suite_of_the_users_own_is_run_and_recorded() {
    let place = Place::new();
    let text = "name = \"mine\"\ntitle = \"Mine\"\nmodel = \"blobs\"\n\n[workload]\nop = [\"put\"]\n\
                size = [\"2k\"]\nexecutions = 1\nrounds = 1\nops = 3\nverify = \"none\"\n\n\
                [options]\nfanout = \"2\"\n";
    fs::write(place.path("mine.toml"), text).unwrap();
    let outcome = place.stowmark("run --suite mine.toml --engine filesystem");
    outcome.exits(0);
    assert!(outcome.stdout.starts_with("mine: Mine\n"), "{outcome}");
    let name = place.files().into_iter().find(|name| name.starts_with("stowmark-mine-")).unwrap();
    let result = place.result(&name);
    assert_eq!(result.plan.suite_file.as_deref(), Some("mine.toml"));
    assert_eq!(result.cases[0].id, "put-2k");
    assert_eq!(result.cases[0].ops_per_round, 3);
    assert_eq!(facts(&result, "filesystem").options["fanout"], "2");
}

#[test]
fn strict_tells_an_inconclusive_run_by_its_code() {
    let place = Place::in_memory();
    let two = "--engine memory --engine redb --op put";
    place.run(two).exits(0);
    let outcome = place.run(&format!("--strict {two}"));
    outcome.exits(6);
    assert!(outcome.stdout.contains("too few samples"), "{outcome}");
    // Nothing is compared, so nothing is undecided.
    place.run("--strict --engine memory").exits(0);
    // A failure is worse than an open question.
    place.run("--strict --engine faults:fault=fail-every --engine memory").exits(3);
}

#[test]
fn strict_is_content_with_a_run_that_decides() {
    // A file made and renamed against nothing: hundreds of times the work on both clocks, so that
    // no disturbance of this machine makes up for it.
    let engines = "--engine null --engine filesystem --durability os";
    let line = format!("--strict {engines} --op put --ops 1000 --rounds 8");
    let outcome = Place::in_memory().run(&line);
    outcome.exits(0);
    for clock in ["wall", "CPU"] {
        let about = format!("filesystem against null, {clock}: takes ");
        let verdict = outcome.stdout.lines().find(|line| line.contains(&about));
        assert!(verdict.is_some_and(|line| line.contains("x): slower")), "{outcome}");
    }
}
