//! `stowmark run`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use stowmark_host::{Catalog, search_path};
use stowmark_report::Format;
use stowmark_results::{RunResult, Status};
use stowmark_runner::plan::{EngineSpec, Plan, PlanError, Request};
use stowmark_runner::supervisor::{self, Settings, StartError};
use stowmark_workload::{Suite, SuiteError};

use crate::cli::{Plugins, Run};
use crate::exit::{self, Failure};
use crate::progress::Progress;
use crate::signals;

/// The engines of a run that names none.
const DEFAULT_ENGINES: [&str; 2] = ["redb", "filesystem"];

/// Runs a suite, prints the table and writes the result file.
pub(crate) fn run(arguments: Run) -> Result<(), Failure> {
    let quiet = arguments.quiet;
    let strict = arguments.strict;
    let plan = plan(&arguments)?;
    let settings = settings(&arguments, &plan)?;
    let stop = signals::handle().map_err(Failure::cannot_start)?;
    let mut progress = Progress::new(quiet);
    let result = supervisor::run(&plan, &settings, &stop, &mut |event| progress.show(event));
    progress.finish();
    let result = result.map_err(|error: StartError| Failure::cannot_start(error))?;
    let options = stowmark_report::Options::default();
    let table = stowmark_report::render(&result, Format::Table, options)
        .map_err(|error| Failure::cannot_start(format!("no table: {error}")))?;
    exit::print(&table)?;
    exit::print(format!("\nresult: {}\n", settings.out.display()).as_bytes())?;
    match code(&result, strict) {
        0 => Ok(()),
        code => Err(Failure::Silent(code)),
    }
}

/// The exit code of a run that took place.
fn code(result: &RunResult, strict: bool) -> u8 {
    let undecided = || {
        let verdicts = result.cases.iter().flat_map(|case| &case.verdicts);
        verdicts.into_iter().any(|v| !matches!(v.outcome.as_str(), "faster" | "slower"))
    };
    match result.status {
        Status::Interrupted => exit::INTERRUPTED,
        Status::Terminated => exit::TERMINATED,
        Status::Failed => exit::ENGINE_FAILED,
        _ if strict && undecided() => exit::INCONCLUSIVE,
        _ => 0,
    }
}

/// All plugins that these flags and the environment lead to.
pub(crate) fn catalog(plugins: &Plugins) -> Catalog {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let env_path: Option<OsString> = variable("STOWMARK_PLUGIN_PATH");
    let data_home = stowmark_host::catalog::data_home(
        variable("XDG_DATA_HOME").as_deref(),
        variable("HOME").as_deref(),
    );
    let exe = std::env::current_exe().ok();
    let folders =
        search_path(&plugins.dirs, env_path.as_deref(), data_home.as_deref(), exe.as_deref());
    Catalog::scan(&folders)
}

fn plan(arguments: &Run) -> Result<Plan, Failure> {
    let suite = suite(&arguments.suite)?;
    let is_file = stowmark_workload::builtin_suite(&arguments.suite).is_err();
    let suite_file = is_file.then(|| PathBuf::from(&arguments.suite));
    for dir in &arguments.plugins.dirs {
        if !dir.is_dir() {
            return Err(Failure::usage(format!("--plugin-dir {}: no such folder", dir.display())));
        }
    }
    let mut engines = arguments.engines.clone();
    if engines.is_empty() {
        engines = DEFAULT_ENGINES
            .map(|engine| EngineSpec { engine: engine.into(), ..EngineSpec::default() })
            .into();
    }
    let request = Request {
        engines,
        published: arguments.published,
        ops: arguments.ops.clone(),
        sizes: arguments.sizes.clone(),
        data: arguments.data.clone(),
        key_order: arguments.key_order,
        executions: arguments.executions,
        rounds: arguments.rounds,
        ops_per_round: arguments.ops_per_round,
        clients: arguments.clients,
        verify: arguments.verify,
        durability: arguments.durability.clone(),
        order: arguments.order,
        baseline: arguments.baseline.clone(),
        confidence: Some(arguments.confidence),
        seed: arguments.seed,
        timeout: Some(arguments.timeout),
    };
    let catalog = catalog(&arguments.plugins);
    Plan::new(suite, suite_file, request, &catalog).map_err(|error| match error {
        PlanError::Usage(message) => Failure::usage(message),
        PlanError::Plugin(message) => Failure::cannot_start(message),
    })
}

/// The suite of that name, or in that file.
pub(crate) fn suite(name_or_path: &str) -> Result<Suite, Failure> {
    stowmark_workload::suite::find(name_or_path)
        .map_err(|error: SuiteError| Failure::usage(format!("suite {error}")))
}

fn settings(arguments: &Run, plan: &Plan) -> Result<Settings, Failure> {
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => {
            let time = stowmark_runner::file_time();
            format!("stowmark-{}-{time}.json", plan.suite.name).into()
        }
    };
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::cannot_start(format!(
            "--out {}: the folder {} does not exist; make it first",
            out.display(),
            folder.display()
        )));
    }
    if out.is_dir() {
        return Err(Failure::cannot_start(format!(
            "--out {}: is a folder; name a file",
            out.display()
        )));
    }
    Ok(Settings {
        data_dir: arguments.data_dir.clone(),
        out,
        allow_volatile: arguments.allow_volatile,
        harness_version: env!("CARGO_PKG_VERSION").into(),
        command_line: std::env::args_os().map(|arg| arg.to_string_lossy().into()).collect(),
        worker_program: std::env::current_exe().map_err(Failure::cannot_start)?,
        worker_arguments: vec!["worker".into()],
    })
}
