//! `stowmark list` and `stowmark info`: what manifests say. No plugin code runs.

use std::fmt::Write as _;

use serde_json::json;
use stowmark_host::{Catalog, EngineManifest, PluginFile};
use stowmark_runner::plan::find;

use crate::cli::{Info, List};
use crate::exit::{self, Failure};
use crate::run::{catalog, plan_failure};
use crate::wrap::fit;

/// Lists plugins and engines.
pub(crate) fn list(arguments: &List) -> Result<(), Failure> {
    let catalog = catalog(&arguments.plugins)?;
    let text = if arguments.json { list_json(&catalog) } else { list_text(&catalog) };
    exit::print(text.as_bytes())
}

fn list_json(catalog: &Catalog) -> String {
    let mut plugins: Vec<_> = catalog.plugins().iter().map(plugin_json).collect();
    plugins.extend(catalog.unreadable().iter().map(
        |(path, error)| json!({ "path": path.display().to_string(), "error": error.to_string() }),
    ));
    format!("{:#}\n", json!(plugins))
}

fn plugin_json(plugin: &PluginFile) -> serde_json::Value {
    let manifest = &plugin.manifest;
    json!({
        "path": plugin.path.display().to_string(),
        "plugin": manifest.name,
        "version": manifest.version,
        "abi": format!("{}.{}", manifest.abi.major, manifest.abi.minor),
        "kit": manifest.kit,
        "rustc": manifest.rustc,
        "profile": manifest.profile,
        "engines": manifest.engines,
    })
}

fn list_text(catalog: &Catalog) -> String {
    let mut text = String::new();
    let width = catalog.engine_names().iter().map(|name| name.len()).max().unwrap_or(0);
    // Writing to a string cannot fail, here and below.
    for (plugin, engine) in catalog.engines() {
        let _ = writeln!(
            text,
            "{:width$}  {}  {}\n{:width$}  {}",
            engine.name,
            engine.models.join(", "),
            engine.help,
            "",
            plugin.path.display(),
        );
    }
    if text.is_empty() {
        text.push_str("no plugins found; name a folder of plugins with --plugin-dir DIR\n");
    }
    for shadowed in catalog.shadowed() {
        let _ = writeln!(
            text,
            "shadowed: {} in {} (taken from {})",
            shadowed.engine,
            shadowed.hidden.path.display(),
            shadowed.taken.path.display()
        );
    }
    for (_, error) in catalog.unreadable() {
        let _ = writeln!(text, "unusable: {error}");
    }
    text
}

/// Shows one engine.
pub(crate) fn info(arguments: &Info) -> Result<(), Failure> {
    let spec = &arguments.engine;
    if spec.given_label.is_some() || !spec.options.is_empty() {
        return Err(Failure::usage(
            "info takes ENGINE or ENGINE@PLUGIN_FILE, without a label and options",
        ));
    }
    let catalog = catalog(&arguments.plugins)?;
    let (plugin, engine) = find(spec, &catalog).map_err(plan_failure)?;
    let text = if arguments.json {
        format!("{:#}\n", json!({ "plugin": plugin_json(&plugin), "engine": engine }))
    } else {
        info_text(&plugin, &engine)
    };
    exit::print(text.as_bytes())
}

fn info_text(plugin: &PluginFile, engine: &EngineManifest) -> String {
    let manifest = &plugin.manifest;
    let mut text = fit(&format!("{}: {}", engine.name, engine.help), 2) + "\n\n";
    // Writing to a string cannot fail, here and below.
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(text, "{}", fit(&format!("  {name:<10}{value}"), 12));
    };
    fact("plugin", &format!("{} {}", manifest.name, manifest.version));
    fact("file", &plugin.path.display().to_string());
    fact("abi", &format!("{}.{}", manifest.abi.major, manifest.abi.minor));
    fact("built by", &format!("{} ({})", manifest.rustc, manifest.profile));
    if let Some(library) = &engine.library {
        fact("library", library);
    }
    fact("models", &engine.models.join(", "));
    if !engine.stores {
        fact("stores", "nothing");
    }
    if !engine.services.is_empty() {
        fact("services", &engine.services.join(", "));
    }
    text.push_str("\ntiers\n");
    for tier in &engine.tiers {
        let default = if tier.tier == engine.default_tier { " (default)" } else { "" };
        let line = format!("  {}{default}: {}", tier.tier, tier.how);
        let _ = writeln!(text, "{}", fit(&line, 6));
    }
    if !engine.options.is_empty() {
        text.push_str("\noptions\n");
    }
    for option in &engine.options {
        let mut facts = vec![option.kind.clone()];
        facts.extend(option.unit.clone());
        facts.extend(option.default.as_ref().map(|value| format!("default {value}")));
        if let (Some(min), Some(max)) = (&option.min, &option.max) {
            facts.push(format!("{min} to {max}"));
        }
        if !option.values.is_empty() {
            facts.push(format!("one of {}", option.values.join(", ")));
        }
        let line = format!("  {} ({}): {}", option.name, facts.join("; "), option.help);
        let _ = writeln!(text, "{}", fit(&line, 6));
    }
    text
}
