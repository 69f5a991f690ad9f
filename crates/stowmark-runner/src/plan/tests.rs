//! A plan, or the first mistake: everything that flags, suite and manifests show to be wrong is said
//! once, with what is valid.

mod plugins;

use super::*;
use plugins::{catalog, engine, option, plugin};

const SUITE: &str = r#"
    name = "mine"
    title = "Blobs"
    model = "blobs"
    [workload]
    op = ["put", "get"]
    size = ["1k", "10k"]
    executions = 3
    [options]
    chunk = "512k"
    [published]
    op = ["put"]
    size = ["1k"]
    executions = 1
    rounds = 20
    ops = 1
    [[published.figure]]
    op = "put"
    size = "1k"
    clock = "wall"
    engine = "shelf"
    mean-s = 0.5
"#;

fn request(engines: &[&str]) -> Request {
    let engines = engines.iter().map(|spec| spec.parse().unwrap()).collect();
    Request { engines, ..Request::default() }
}

fn try_plan(request: Request) -> Result<Plan, PlanError> {
    Plan::new(Suite::parse("mine.toml", SUITE).unwrap(), None, request, &catalog())
}

fn plan(request: Request) -> Plan {
    try_plan(request).unwrap()
}

/// The request is wrong usage, and the message is one line that holds all of these.
fn check_usage(request: Request, parts: &[&str]) {
    check_usage_error(try_plan(request), parts);
}

fn check_usage_error(result: Result<Plan, PlanError>, parts: &[&str]) {
    let error = result.expect_err("it was planned");
    let PlanError::Usage(message) = error else { panic!("no usage error: {error}") };
    for part in parts {
        assert!(message.contains(part), "{part:?} is missing in: {message}");
    }
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
}

#[test]
fn what_nobody_asked_for_is_the_suites_and_the_defaults() {
    let plan = plan(request(&["shelf", "drawer"]));
    let cases: Vec<_> = plan.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(cases, ["put-1k", "get-1k", "put-10k", "get-10k"]);
    assert_eq!((plan.workload.executions, plan.workload.rounds, plan.workload.clients), (3, 6, 1));
    assert_eq!((plan.baseline.as_str(), plan.confidence), ("shelf", 0.99));
    assert_eq!(plan.timeout, DEFAULT_TIMEOUT);
    assert!(!plan.as_published && plan.published.is_some());
}

#[test]
fn the_users_words_stand_over_the_suites() {
    let asked = Request {
        ops: Some(vec![Op::Delete]),
        sizes: Some(vec![2048]),
        executions: Some(2),
        rounds: Some(9),
        ops_per_round: Some(50),
        clients: Some(4),
        verify: Some(Verify::None),
        key_order: Some(KeyOrder::Sequential),
        data: Some(PayloadKind::Zero),
        baseline: Some("drawer".into()),
        seed: Some(7),
        ..request(&["shelf", "drawer"])
    };
    let plan = plan(asked);
    assert_eq!(plan.cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["delete-2k"]);
    let workload = &plan.workload;
    assert_eq!((workload.executions, workload.rounds, workload.clients), (2, 9, 4));
    assert_eq!((workload.ops, workload.verify), (Some(50), Verify::None));
    assert_eq!((workload.key_order, &workload.data), (KeyOrder::Sequential, &PayloadKind::Zero));
    assert_eq!((plan.baseline.as_str(), plan.seed), ("drawer", 7));
}

#[test]
fn the_floor_comes_last_and_is_not_listed() {
    let plan = plan(request(&["shelf", "null"]));
    let labels: Vec<_> = plan.engines.iter().map(|engine| engine.label.as_str()).collect();
    assert_eq!(labels, ["shelf", "null", FLOOR_LABEL]);
    assert_eq!(plan.engines.iter().filter(|engine| engine.is_floor).count(), 1);
    assert_eq!(plan.listed().count(), 2);
    assert!("(floor)=null".parse::<EngineSpec>().is_err(), "its label cannot be taken");
}

#[test]
fn without_the_floors_plugin_nothing_starts() {
    let only = catalog().plugins()[0].clone();
    let suite = Suite::parse("mine.toml", SUITE).unwrap();
    let catalog = Catalog::from_plugins(vec![only]);
    let error = Plan::new(suite, None, request(&["shelf"]), &catalog).unwrap_err();
    assert!(matches!(error, PlanError::Plugin(_)), "{error}");
    assert!(error.to_string().contains("--plugin-dir"), "{error}");
}

#[test]
fn published_settings_are_taken_whole_and_may_still_be_changed() {
    let published = plan(Request { published: true, ..request(&["shelf"]) });
    let workload = &published.workload;
    assert_eq!((workload.executions, workload.rounds, workload.ops), (1, 20, Some(1)));
    assert_eq!(published.cases.len(), 1);
    assert!(published.as_published);
    let changed = Request { published: true, rounds: Some(3), ..request(&["shelf"]) };
    assert_eq!(plan(changed).workload.rounds, 3);
}

#[test]
fn an_unknown_engine_is_answered_with_all_and_the_nearest() {
    check_usage(
        request(&["shelv"]),
        &["no engine shelv", "Did you mean shelf?", "drawer, heap, null, shelf, table"],
    );
    let message = try_plan(request(&["mongrel"])).unwrap_err().to_string();
    assert!(!message.contains("mean"), "nothing is near: {message}");
}

#[test]
fn where_no_plugin_was_found_it_is_said_how_to_get_one() {
    let suite = Suite::parse("mine.toml", SUITE).unwrap();
    let planned = Plan::new(suite, None, request(&["shelf"]), &Catalog::default());
    check_usage_error(planned, &["no engine shelf", "no plugin was found", "--plugin-dir"]);
}

#[test]
fn an_engine_whose_only_plugin_is_unusable_is_no_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let name = |engine: &str| {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        folder.path().join(format!("{prefix}stowmark_{engine}{suffix}"))
    };
    std::fs::write(name("tape_reel"), "no library").unwrap();
    let catalog = Catalog::scan(&[folder.path().into()]);
    let suite = || Suite::parse("mine.toml", SUITE).unwrap();
    for spec in ["tape-reel".to_string(), format!("tape@{}", name("tape_reel").display())] {
        let error = Plan::new(suite(), None, request(&[&spec]), &catalog).unwrap_err();
        assert!(matches!(error, PlanError::Plugin(_)), "{error}");
        assert!(error.to_string().contains("tape_reel"), "{error}");
    }
    let planned = Plan::new(suite(), None, request(&["reel"]), &catalog);
    check_usage_error(planned, &["1 plugin file is unusable", "stowmark list"]);
}

#[test]
fn an_engine_that_cannot_hold_what_the_suite_needs_is_refused() {
    check_usage(request(&["shelf", "table"]), &["engine table holds records", "needs blobs"]);
}

#[test]
fn no_engine_at_all_is_refused() {
    check_usage(request(&[]), &["--engine"]);
}

#[test]
fn two_engines_of_one_label_are_refused_with_a_way_out() {
    check_usage(request(&["shelf", "shelf"]), &["labelled shelf", "--engine shelf2=shelf"]);
    check_usage(request(&["x=shelf", "x=heap"]), &["labelled x", "--engine heap2=heap"]);
    check_usage(
        request(&["shelf", "shelf@./old.so"]),
        &["labelled shelf", "--engine shelf2=shelf@./old.so"],
    );
    let asked = request(&["shelf", "shelf:cache=1M", "x=shelf"]);
    assert_eq!(plan(asked).listed().count(), 3, "options make another label");
}

#[test]
fn an_unknown_option_is_answered_with_all_and_the_nearest() {
    check_usage(
        request(&["shelf:cahce=1M"]),
        &["shelf", "\"cahce\"", "did you mean \"cache\"?", "chunk, cache, linger, path"],
    );
    check_usage(request(&["drawer:cache=1M"]), &["drawer", "no options", "cache"]);
}

#[test]
fn a_bad_value_names_option_engine_and_what_is_valid() {
    check_usage(request(&["shelf:cache=big"]), &["option cache of engine shelf", "big", "64KiB"]);
    check_usage(request(&["shelf:cache=2G"]), &["option cache of engine shelf", "the most, 1G"]);
    check_usage(request(&["shelf:linger=3"]), &["option linger of engine shelf", "500ms"]);
}

#[test]
fn options_are_given_in_plain_form_the_users_before_the_suites_before_the_default() {
    let plan = plan(request(&["shelf", "own=shelf:chunk=1M,path=./a:b", "drawer"]));
    let options = |label: &str| {
        let engine = plan.engines.iter().find(|engine| engine.label == label).unwrap();
        engine.options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect::<Vec<_>>()
    };
    let common = [("cache", "16777216"), ("chunk", "524288"), ("linger", "10000000")];
    assert_eq!(options("shelf"), common);
    let own = [common[0], ("chunk", "1048576"), common[2], ("path", "./a:b")];
    assert_eq!(options("own"), own);
    assert_eq!(options("drawer"), [], "it has no such option");
    assert_eq!(options(FLOOR_LABEL), [("chunk", "524288")]);
}

#[test]
fn a_value_of_the_suite_that_an_engine_refuses_is_blamed_on_the_suite() {
    let suite = SUITE.replace("512k", "2G");
    let planned = |engine: &str| {
        let suite = Suite::parse("mine.toml", &suite).unwrap();
        Plan::new(suite, None, request(&[engine]), &catalog())
    };
    check_usage_error(planned("shelf"), &["option chunk of engine shelf (set by the suite)"]);
}

/// The plan of a user's suite file that sets this option.
fn plan_file(option: &str, engines: &[&str]) -> Result<Plan, PlanError> {
    let suite =
        Suite::parse("mine.toml", &SUITE.replace("chunk =", &format!("{option} ="))).unwrap();
    Plan::new(suite, Some("mine.toml".into()), request(engines), &catalog())
}

#[test]
fn an_option_of_a_suite_file_that_no_engine_has_is_answered_with_the_nearest() {
    let words = ["suite mine, [options]", "(shelf, drawer)", "\"chnk\"", "did you mean \"chunk\"?"];
    check_usage_error(plan_file("chnk", &["shelf", "drawer"]), &words);
    check_usage_error(plan_file("chnk", &["drawer"]), &["(drawer) has options", "\"chnk\""]);
    check_usage_error(plan_file("floor-only", &["shelf"]), &["\"floor-only\""]);
}

#[test]
fn an_option_of_a_suite_file_that_some_engine_has_is_none_of_the_others_business() {
    let plan = plan_file("chunk", &["drawer", "shelf"]).unwrap();
    assert!(plan.engines[0].options.is_empty());
    assert_eq!(plan.engines[1].options["chunk"], "524288");
    let alone = plan_file("chunk", &["drawer"]).unwrap();
    assert!(alone.engines[0].options.is_empty(), "the suite is also meant for the shelf");
    assert!(plan_file("floor-only", &["null"]).is_ok(), "unless it is weighed itself");
}

#[test]
fn an_option_of_a_later_kind_keeps_its_default_and_cannot_be_set() {
    let later = engine("later", &["os"], vec![option("hue", "colour", Some("red"))]);
    let floor = catalog().plugins().last().unwrap().clone();
    let catalog = Catalog::from_plugins(vec![plugin(later), floor]);
    let planned = |spec: &str| {
        let suite = Suite::parse("mine.toml", SUITE).unwrap();
        Plan::new(suite, None, request(&[spec]), &catalog)
    };
    assert_eq!(planned("later").unwrap().engines[0].options["hue"], "red");
    check_usage_error(planned("later:hue=blue"), &["option hue", "newer than this harness"]);
}

#[test]
fn tiers_are_resolved_for_the_listed_engines_and_the_floor_has_its_own() {
    let tiers = |word: &str| {
        let Ok(durability) = word.parse();
        let plan = plan(Request { durability, ..request(&["shelf", "drawer"]) });
        plan.engines.into_iter().map(|engine| engine.tier).collect::<Vec<_>>()
    };
    assert_eq!(tiers("strongest"), ["media", "media", "unacknowledged"]);
    assert_eq!(tiers("default"), ["os", "acknowledged", "unacknowledged"]);
    assert_eq!(tiers("media"), ["media", "media", "unacknowledged"]);
}

#[test]
fn a_tier_that_cannot_be_is_refused_before_anything_starts() {
    let asked = |word: &str, engines: &[&str]| {
        let Ok(durability) = word.parse();
        Request { durability, ..request(engines) }
    };
    check_usage(asked("madia", &["shelf"]), &["tier", "\"madia\"", "did you mean \"media\"?"]);
    check_usage(asked("os", &["shelf", "x=heap"]), &["engine x cannot honour tier os"]);
    check_usage(asked("strongest", &["shelf", "heap"]), &["no tier", "--durability default"]);
}

#[test]
fn counts_of_nothing_are_refused_by_their_flag() {
    let shelf = || request(&["shelf"]);
    check_usage(Request { executions: Some(0), ..shelf() }, &["--executions", "at least 1"]);
    check_usage(Request { rounds: Some(0), ..shelf() }, &["--rounds", "at least 1"]);
    check_usage(Request { clients: Some(0), ..shelf() }, &["--clients", "at least 1"]);
    check_usage(Request { ops_per_round: Some(0), ..shelf() }, &["--ops", "at least 1"]);
    check_usage(Request { clients: Some(1025), ..shelf() }, &["--clients 1025", "1024"]);
    check_usage(Request { rounds: Some(u32::MAX), ..shelf() }, &["--rounds", "at most 100000"]);
    check_usage(Request { executions: Some(10_001), ..shelf() }, &["--executions", "10000"]);
    check_usage(Request { ops: Some(Vec::new()), ..shelf() }, &["--op"]);
    check_usage(Request { sizes: Some(Vec::new()), ..shelf() }, &["--size"]);
    check_usage(Request { sizes: Some(vec![0]), ..shelf() }, &["--size 0", "at least one byte"]);
}

#[test]
fn every_client_needs_an_operation() {
    let asked = |ops, clients| Request {
        ops_per_round: Some(ops),
        clients: Some(clients),
        ..request(&["shelf"])
    };
    check_usage(asked(3, 4), &["--ops 3", "4 clients"]);
    assert_eq!(plan(asked(4, 4)).workload.ops, Some(4));
    let published = Request { published: true, clients: Some(2), ..request(&["shelf"]) };
    check_usage(published, &["--ops 1", "2 clients"]);
}

#[test]
fn what_is_named_twice_is_refused() {
    let sizes = Request { sizes: Some(vec![1024, 2048, 1024]), ..request(&["shelf"]) };
    check_usage(sizes, &["--size", "1k twice"]);
    let ops = Request { ops: Some(vec![Op::Put, Op::Put]), ..request(&["shelf"]) };
    check_usage(ops, &["--op", "put twice"]);
}

#[test]
fn a_confidence_that_is_none_is_refused() {
    for confidence in [0.5, 1.0, 99.0, -1.0, f64::NAN] {
        let asked = Request { confidence: Some(confidence), ..request(&["shelf"]) };
        check_usage(asked, &["--confidence", "0.99"]);
    }
    assert_eq!(plan(Request { confidence: Some(0.95), ..request(&["shelf"]) }).confidence, 0.95);
}

#[test]
fn an_unknown_baseline_is_answered_with_all_and_the_nearest() {
    let asked = |baseline: &str| Request {
        baseline: Some(baseline.into()),
        ..request(&["shelf", "big=shelf:cache=1M"])
    };
    check_usage(asked("bg"), &["baseline", "\"bg\"", "did you mean \"big\"?", "shelf, big"]);
    check_usage(asked(FLOOR_LABEL), &["baseline", "shelf, big"]);
    assert_eq!(plan(asked("big")).baseline, "big");
}

#[test]
fn a_payload_file_that_cannot_be_read_is_found_before_anything_starts() {
    let data = Some(PayloadKind::File("/no/such/file".into()));
    check_usage(Request { data, ..request(&["shelf"]) }, &["/no/such/file"]);
}

#[test]
fn a_suite_that_follows_nothing_cannot_be_done_as_published() {
    let text = SUITE.split("[published]").next().unwrap();
    let suite = Suite::parse("mine.toml", text).unwrap();
    let asked = Request { published: true, ..request(&["shelf"]) };
    let planned = Plan::new(suite, None, asked, &catalog());
    check_usage_error(planned, &["suite mine", "--published"]);
}

#[test]
fn a_suite_of_records_cannot_be_measured_yet() {
    let suite = Suite { model: Model::Records, ..Suite::parse("mine.toml", SUITE).unwrap() };
    let planned = Plan::new(suite, None, request(&["table"]), &catalog());
    check_usage_error(planned, &["suite mine", "records"]);
}

#[test]
fn who_gives_no_seed_gets_a_new_one() {
    let seed = || plan(request(&["shelf"])).seed;
    assert_ne!(seed(), seed());
}

#[test]
fn an_order_is_parsed_from_the_word_it_prints() {
    for order in [Order::Interleaved, Order::Sequential] {
        assert_eq!(order.as_str().parse(), Ok(order));
    }
    let error = "interleave".parse::<Order>().unwrap_err().to_string();
    assert!(error.contains("did you mean \"interleaved\""), "{error}");
}
