//! What was run, and where.

use stowmark_results::{EngineFacts, FsyncProbe, Plan, RunResult, Status};

use super::counted;
use crate::units::{gibibytes, size, time};

/// The suite and what it measures.
pub(crate) fn title(plan: &Plan) -> String {
    let suite = plan.suite.as_deref().unwrap_or("run");
    match &plan.title {
        Some(title) => format!("{suite}: {title}"),
        None => suite.to_owned(),
    }
}

/// What to know first where the run did not complete.
pub(crate) fn status(status: &Status) -> Option<String> {
    let what = match status {
        Status::Complete => return None,
        Status::Running => "This run did not come to its end",
        Status::Failed => "Something failed in this run, see the end",
        Status::Interrupted => "This run was interrupted",
        Status::Terminated => "This run was terminated",
        Status::Other(other) => return Some(format!("This run's status is \"{other}\".")),
    };
    Some(format!("{what}; what was measured is shown."))
}

/// How it was run: executions, rounds, clients, payload, order, seed.
pub(crate) fn how(result: &RunResult) -> String {
    let plan = &result.plan;
    let mut parts = Vec::new();
    if let (Some(executions), Some(rounds)) = (plan.executions, plan.rounds) {
        parts.push(format!("{} of {}", counted(executions, "execution"), counted(rounds, "round")));
    }
    if let Some(clients) = plan.clients {
        parts.push(counted(clients, "client"));
    }
    parts.extend(plan.data.as_ref().map(|data| format!("{data} payload")));
    parts.extend(plan.key_order.as_ref().map(|order| format!("keys in {order} order")));
    if plan.order.as_deref() == Some("sequential") {
        parts.push("engines one after the other".to_owned());
    }
    if plan.verify.as_deref() == Some("none") {
        parts.push("nothing read back".to_owned());
    }
    if plan.published {
        parts.push("as published".to_owned());
    }
    parts.extend(result.seed.as_ref().map(|seed| format!("seed {seed}")));
    parts.join(", ")
}

/// The machine and the place of the data.
pub(crate) fn machine(result: &RunResult) -> String {
    let machine = &result.machine;
    let os = [machine.os.as_deref(), machine.kernel.as_deref()];
    let os: Vec<&str> = os.into_iter().flatten().collect();
    let mut parts: Vec<String> = Vec::new();
    if !os.is_empty() {
        parts.push(os.join(" "));
    }
    parts.extend(machine.cpu_model.clone());
    parts.extend(machine.cores.map(|cores| counted(cores, "processor")));
    parts.extend(machine.memory_bytes.map(|memory| format!("{} memory", gibibytes(memory))));
    if let Some(storage) = &machine.storage {
        let file_system = storage.file_system.as_deref().unwrap_or("an unknown file system");
        let device = [storage.device.as_deref(), storage.device_write_cache.as_deref()];
        let device: Vec<&str> = device.into_iter().flatten().collect();
        let device =
            if device.is_empty() { String::new() } else { format!(" ({})", device.join(", ")) };
        let volatile = if storage.volatile { ", volatile: power loss empties it" } else { "" };
        parts.push(format!("data on {file_system}{device}{volatile}"));
    }
    parts.join(", ")
}

/// What the fsync probe found.
pub(crate) fn fsync_probe(probe: &FsyncProbe) -> String {
    let flushes = match probe.device_flushes {
        Some(0) => "; the device saw no flush".to_owned(),
        Some(count) => format!("; the device saw {}", counted(count, "flush")),
        None => String::new(),
    };
    format!(
        "A write of {} bytes with fsync takes {} here (median of {}; {} to {}{flushes}): each \
         acknowledged write at tier media waits for at least one such flush",
        probe.write_bytes,
        time(probe.median_ns as f64),
        probe.writes,
        time(probe.min_ns as f64),
        time(probe.max_ns as f64),
    )
}

/// The engines that are compared, a sentence each. A second setting of an engine says only in what
/// it differs from the first, and there what differs comes first.
pub(crate) fn engines(result: &RunResult) -> Vec<String> {
    let listed: Vec<&EngineFacts> = result.engines.iter().filter(|facts| !facts.is_floor).collect();
    let sentence = |(at, facts): (usize, &&EngineFacts)| {
        let is_like = |other: &&&EngineFacts| {
            (&other.engine, &other.library) == (&facts.engine, &facts.library)
        };
        match listed[..at].iter().find(is_like) {
            Some(first) => engine_as(facts, first),
            None => engine(facts, listed[at + 1..].iter().filter(is_like).copied()),
        }
    };
    listed.iter().enumerate().map(sentence).collect()
}

/// An engine under its label: what it is, its tier and how it is kept, its options.
fn engine<'a>(facts: &EngineFacts, others: impl Iterator<Item = &'a EngineFacts>) -> String {
    let mut text = named(facts);
    text += &tier(facts);
    let others: Vec<&EngineFacts> = others.collect();
    let mut options: Vec<_> = facts.options.iter().collect();
    // Stable, and false comes first.
    options.sort_by_key(|(name, value)| {
        others.iter().all(|other| other.options.get(*name) == Some(value))
    });
    for (name, value) in options {
        text += &option(name, value);
    }
    text
}

/// Another setting of an engine that was described.
fn engine_as(facts: &EngineFacts, first: &EngineFacts) -> String {
    let mut text = named(facts);
    if (&facts.tier, &facts.tier_how) != (&first.tier, &first.tier_how) {
        text += &tier(facts);
    }
    for (name, value) in &facts.options {
        if first.options.get(name) != Some(value) {
            text += &option(name, value);
        }
    }
    text + &format!(", all else as {}", first.label)
}

/// The label, and what it stands for where it does not say so itself.
fn named(facts: &EngineFacts) -> String {
    let EngineFacts { label, engine, library, .. } = facts;
    let is_said = library
        .as_ref()
        .is_some_and(|library| library == engine || library.starts_with(&format!("{engine} ")));
    let parts = [Some(engine.clone()).filter(|_| !is_said), library.clone()];
    let what = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if label == engine { what } else { format!("{label} = {what}") }
}

fn tier(facts: &EngineFacts) -> String {
    let tier = facts.tier.as_ref().map(|tier| format!(", {tier}")).unwrap_or_default();
    let how = facts.tier_how.as_ref().map(|how| format!(" ({how})")).unwrap_or_default();
    tier + &how
}

fn option(name: &str, value: &str) -> String {
    format!(", {name}={}", size(value).as_deref().unwrap_or(value))
}
