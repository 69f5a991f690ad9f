//! Which engines take part, from which plugins, with which options and tiers.

use stowmark_host::{Catalog, EngineManifest, PluginFile, inspect};
use stowmark_workload::{Suite, UnknownWord, nearest};

use super::{
    EngineSpec, FLOOR_ENGINE, FLOOR_LABEL, PlanError, PlannedEngine, Request, options, tier, usage,
};

/// The engines that were named, checked, and the floor last.
pub(super) fn resolve(
    suite: &Suite,
    request: &Request,
    catalog: &Catalog,
) -> Result<Vec<PlannedEngine>, PlanError> {
    if request.engines.is_empty() {
        return Err(usage("no engine: name at least one with --engine"));
    }
    let mut found = Vec::new();
    for spec in &request.engines {
        let label = spec.label();
        if found.iter().any(|(other, ..): &(String, _, _, _)| *other == label) {
            return Err(usage(format!(
                "two engines are labelled {label}: give each a label of its own, such as \
                 --engine {}2={}",
                spec.engine,
                spec.text_with_file()
            )));
        }
        let (plugin, manifest) = find(spec, catalog)?;
        if !manifest.models.iter().any(|model| model == suite.model.as_str()) {
            return Err(usage(format!(
                "engine {} holds {}; suite {} needs {}",
                spec.engine,
                manifest.models.join(" and "),
                suite.name,
                suite.model
            )));
        }
        let options = options::resolve(spec, &manifest, &suite.options)?;
        found.push((label, plugin, manifest, options));
    }
    let manifests: Vec<_> = found.iter().map(|(label, _, manifest, _)| (label, manifest)).collect();
    let tiers = tier::resolve(&request.durability, &manifests)?;
    let mut engines: Vec<_> = found
        .into_iter()
        .zip(tiers)
        .map(|((label, plugin, manifest, options), tier)| PlannedEngine {
            label,
            plugin,
            manifest,
            options,
            tier,
            is_floor: false,
        })
        .collect();
    engines.push(floor(suite, catalog)?);
    Ok(engines)
}

/// Refuses an option of a user's suite that was probably mistyped: no engine of the plan has it. A
/// suite is also run on engines without the options that it sets for others, so what another engine
/// here is known to have is no slip, and the options of our own suites are right by their tests. The
/// floor takes part in every plan and would make its options valid in all of them.
pub(super) fn check_suite_options(
    suite: &Suite,
    engines: &[PlannedEngine],
    catalog: &Catalog,
) -> Result<(), PlanError> {
    let listed = || engines.iter().filter(|engine| !engine.is_floor);
    let names = |manifest: &EngineManifest| {
        manifest.options.iter().map(|option| option.name.clone()).collect::<Vec<_>>()
    };
    let mut valid: Vec<_> = listed().flat_map(|engine| names(&engine.manifest)).collect();
    valid.sort();
    valid.dedup();
    let elsewhere = catalog.engines().filter(|(_, engine)| engine.name != FLOOR_ENGINE);
    let elsewhere: Vec<_> = elsewhere.flat_map(|(_, manifest)| names(manifest)).collect();
    let mistyped =
        suite.options.keys().find(|name| !valid.contains(name) && !elsewhere.contains(name));
    let Some(name) = mistyped else { return Ok(()) };
    let labels: Vec<_> = listed().map(|engine| engine.label.as_str()).collect();
    let labels = labels.join(", ");
    if valid.is_empty() {
        return Err(usage(format!(
            "suite {}, [options]: none of the engines ({labels}) has options, so not {name:?}",
            suite.name
        )));
    }
    Err(usage(format!(
        "suite {}, [options]: none of the engines ({labels}) has that: {}",
        suite.name,
        UnknownWord::new("option", name, &valid)
    )))
}

fn floor(suite: &Suite, catalog: &Catalog) -> Result<PlannedEngine, PlanError> {
    let Some((plugin, manifest)) = catalog.find(FLOOR_ENGINE) else {
        return Err(PlanError::Plugin(format!(
            "the plugin of engine {FLOOR_ENGINE} is missing: it measures the harness's own cost in \
             every run. Build it (cargo build --release) or name its folder with --plugin-dir{}",
            unreadable_note(catalog)
        )));
    };
    let spec = EngineSpec { engine: FLOOR_ENGINE.into(), ..EngineSpec::default() };
    Ok(PlannedEngine {
        label: FLOOR_LABEL.into(),
        options: options::resolve(&spec, manifest, &suite.options)?,
        tier: manifest.default_tier.clone(),
        plugin: plugin.clone(),
        manifest: manifest.clone(),
        is_floor: true,
    })
}

/// The plugin and engine that a spec names: from its own file, else from the catalog.
///
/// # Errors
///
/// [`PlanError`]: there is none, or the plugin that should hold it is unusable.
pub fn find(
    spec: &EngineSpec,
    catalog: &Catalog,
) -> Result<(PluginFile, EngineManifest), PlanError> {
    let name = &spec.engine;
    if let Some(path) = &spec.plugin {
        let plugin = inspect(path).map_err(|error| PlanError::Plugin(error.to_string()))?;
        let Some(manifest) = plugin.manifest.engine(name).cloned() else {
            let names: Vec<_> = plugin.manifest.engines.iter().map(|e| e.name.as_str()).collect();
            let unknown = UnknownWord::new("engine", name, &names);
            return Err(usage(format!("{}: {unknown}", path.display())));
        };
        return Ok((plugin, manifest));
    }
    if let Some((plugin, manifest)) = catalog.find(name) {
        return Ok((plugin.clone(), manifest.clone()));
    }
    // A file of the engine's own name that cannot be used is the likely cause.
    let wanted = format!("stowmark_{}.", name.replace('-', "_"));
    let culprit = catalog.unreadable().iter().find(|(path, _)| {
        path.file_name().is_some_and(|file| file.to_string_lossy().contains(&wanted))
    });
    if let Some((_, error)) = culprit {
        return Err(PlanError::Plugin(error.to_string()));
    }
    let names = catalog.engine_names();
    if names.is_empty() {
        return Err(usage(format!(
            "no engine {name}: no plugin was found. Build them (cargo build --release) or name \
             their folder with --plugin-dir{}",
            unreadable_note(catalog)
        )));
    }
    let hint = match nearest(name, &names) {
        Some(near) => format!(" Did you mean {near}?"),
        None => String::new(),
    };
    Err(usage(format!(
        "no engine {name}.{hint} There are: {}. Look with stowmark list; name a folder of plugins \
         with --plugin-dir{}",
        names.join(", "),
        unreadable_note(catalog)
    )))
}

fn unreadable_note(catalog: &Catalog) -> String {
    match catalog.unreadable().len() {
        0 => String::new(),
        1 => " (1 plugin file is unusable: stowmark list says why)".into(),
        count => format!(" ({count} plugin files are unusable: stowmark list says why)"),
    }
}

/// The label that others are compared with: the one asked for, else the first.
pub(super) fn baseline(
    engines: &[PlannedEngine],
    asked: Option<&str>,
) -> Result<String, PlanError> {
    let labels: Vec<_> =
        engines.iter().filter(|e| !e.is_floor).map(|engine| engine.label.as_str()).collect();
    match asked {
        None => Ok(labels[0].into()),
        Some(asked) if labels.contains(&asked) => Ok(asked.into()),
        Some(asked) => Err(usage(UnknownWord::new("baseline", asked, &labels).to_string())),
    }
}
