//! `stowmark run`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use stowmark_host::{Catalog, search_path};
use stowmark_report::Format;
use stowmark_results::{RunResult, Status};
use stowmark_runner::plan::{EngineSpec, Plan, PlanError, Request};
use stowmark_runner::supervisor::{self, Settings, StartError};
use stowmark_workload::{Suite, SuiteError};

use crate::cli::{Plugins, Run};
use crate::exit::{self, Failure};
use crate::out;
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
    let done = supervisor::run(&plan, &settings, &stop, &mut |event| progress.show(event));
    progress.finish();
    let done = done.map_err(|error: StartError| Failure::cannot_start(error))?;
    let result = &done.result;
    let options = stowmark_report::Options::default();
    let table = stowmark_report::render(result, Format::Table, options)
        .map_err(|error| Failure::cannot_start(format!("no table: {error}")))?;
    exit::print(&table)?;
    if let Some(error) = done.unwritten {
        // All other codes promise that what was measured is in the file.
        return Err(Failure::cannot_start(format!("{error}; the figures are only in this table")));
    }
    exit::print(format!("\nresult: {}\n", settings.out.display()).as_bytes())?;
    match code(result, strict) {
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

/// All plugins that these flags and the environment lead to. A folder of the environment need not
/// exist, one that is named here must.
pub(crate) fn catalog(plugins: &Plugins) -> Result<Catalog, Failure> {
    if let Some(dir) = plugins.dirs.iter().find(|dir| !dir.is_dir()) {
        return Err(Failure::usage(format!("--plugin-dir {}: no such folder", dir.display())));
    }
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let env_path: Option<OsString> = variable("STOWMARK_PLUGIN_PATH");
    let data_home = stowmark_host::catalog::data_home(
        variable("XDG_DATA_HOME").as_deref(),
        variable("HOME").as_deref(),
    );
    let exe = std::env::current_exe().ok();
    let folders =
        search_path(&plugins.dirs, env_path.as_deref(), data_home.as_deref(), exe.as_deref());
    Ok(Catalog::scan(&folders))
}

fn plan(arguments: &Run) -> Result<Plan, Failure> {
    let suite = suite(&arguments.suite)?;
    let is_file = stowmark_workload::builtin_suite(&arguments.suite).is_err();
    let suite_file = is_file.then(|| PathBuf::from(&arguments.suite));
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
    let catalog = catalog(&arguments.plugins)?;
    Plan::new(suite, suite_file, request, &catalog).map_err(plan_failure)
}

/// What a mistake in a plan means for the exit code.
pub(crate) fn plan_failure(error: PlanError) -> Failure {
    match error {
        PlanError::Usage(message) => Failure::usage(message),
        PlanError::Plugin(message) => Failure::cannot_start(message),
    }
}

/// The suite of that name, or in that file.
pub(crate) fn suite(name_or_path: &str) -> Result<Suite, Failure> {
    stowmark_workload::suite::find(name_or_path).map_err(|error: SuiteError| Failure::usage(error))
}

fn settings(arguments: &Run, plan: &Plan) -> Result<Settings, Failure> {
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => unused_name(&plan.suite.name),
    };
    out::check(&out)?;
    // The result is put in place by renaming: what is there must be a file that a file may replace.
    if fs::metadata(&out).is_ok_and(|there| !there.is_file()) {
        return Err(Failure::cannot_start(format!(
            "--out {}: is no regular file; name one, or one that is not there yet",
            out.display()
        )));
    }
    Ok(Settings {
        data_dir: arguments.data_dir.clone(),
        out,
        allow_volatile: arguments.allow_volatile,
        harness_version: env!("CARGO_PKG_VERSION").into(),
        command_line: std::env::args_os().map(|arg| arg.to_string_lossy().into()).collect(),
        worker_program: this_program().map_err(Failure::cannot_start)?,
        worker_arguments: vec![crate::WORKER.into()],
    })
}

/// The default name of a result. A run may take less than the second that the name tells.
fn unused_name(suite: &str) -> PathBuf {
    let time = stowmark_runner::file_time();
    let named = |end: &str| PathBuf::from(format!("stowmark-{suite}-{time}{end}.json"));
    let mut name = named("");
    let mut more = 2;
    while name.exists() {
        name = named(&format!("-{more}"));
        more += 1;
    }
    name
}

/// This very program, be its file replaced while it runs.
fn this_program() -> std::io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Ok(running.into());
    }
    std::env::current_exe()
}
