//! The table of engines in the documents, between two markers, is what metadata and manifests give.
//!
//! Engines for tests are left out: a reader cannot choose them for anything.

use std::fs;

use super::manifests::{Engine, Listed, engines_of};
use super::{File, Problem};
use crate::failure::Failure;
use crate::workspace::{Plugin, Workspace};

const BEGIN: &str = "<!-- engines:begin -->";
const END: &str = "<!-- engines:end -->";

/// Compares the table in each document that has the markers; with `fix`, writes it instead.
pub(super) fn check(
    workspace: &Workspace,
    listed: &[Listed],
    files: &[File],
    fix: bool,
) -> Result<Vec<Problem>, Failure> {
    let table = table(&workspace.plugins, listed);
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| is_document(&file.path)) {
        match with_table(&file.text, &table) {
            Ok(text) if text == file.text => {}
            Ok(text) if fix => {
                let path = workspace.root.join(&file.path);
                fs::write(&path, text).map_err(Failure::file(&path))?;
                problems.push(Problem::note(&file.path, "table of engines rewritten"));
            }
            Ok(_) => {
                let text = "the table of engines is not up to date: `cargo xtask tidy --fix`";
                problems.push(Problem::error(&file.path, text));
            }
            Err(why) => problems.push(Problem::error(&file.path, why)),
        }
    }
    Ok(problems)
}

fn is_document(path: &str) -> bool {
    path == "README.md" || (path.starts_with("docs/") && path.ends_with(".md"))
}

/// The document with this table between its markers; as it is where it has none.
fn with_table(text: &str, table: &str) -> Result<String, String> {
    let (before, rest) = match text.split_once(BEGIN) {
        Some(parts) => parts,
        None if text.contains(END) => return Err(format!("has {END} without {BEGIN}")),
        None => return Ok(text.to_owned()),
    };
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("has {BEGIN} without {END}"))?;
    Ok(format!("{before}{BEGIN}\n{table}{END}{after}"))
}

fn table(plugins: &[Plugin], listed: &[Listed]) -> String {
    let mut rows: Vec<_> = plugins
        .iter()
        .filter(|p| !p.says.test_only)
        .flat_map(|plugin| {
            let engines = engines_of(plugin, listed).map(Listed::engines).unwrap_or_default();
            engines.iter().map(|engine| row(plugin, engine))
        })
        .collect();
    rows.sort();
    let head =
        "| engine | plugin | models | tiers | default tier | needs |\n|---|---|---|---|---|---|\n";
    head.to_owned() + &rows.concat()
}

fn row(plugin: &Plugin, engine: &Engine) -> String {
    let needs: Vec<_> = plugin.says.services.iter().chain(&plugin.says.debian).cloned().collect();
    let or = |list: &[String], empty: &str| {
        if list.is_empty() { empty.to_owned() } else { list.join(", ") }
    };
    let tiers: Vec<_> = engine.tiers.iter().map(|honoured| honoured.tier.clone()).collect();
    let default_tier = engine.default_tier.as_deref().unwrap_or("none");
    format!(
        "| `{}` | {} | {} | {} | {default_tier} | {} |\n",
        engine.name,
        plugin.package,
        or(&engine.models, "none"),
        or(&tiers, "none"),
        or(&needs, "nothing"),
    )
}

#[cfg(test)]
mod tests {
    use super::super::manifests::tests::{listing, plugin};
    use super::*;

    fn document(inside: &str) -> String {
        format!("# Title\n\n{BEGIN}\n{inside}{END}\n\nmore\n")
    }

    #[test]
    fn only_what_stands_between_the_markers_is_replaced() {
        assert_eq!(with_table(&document("old\nolder\n"), "new\n"), Ok(document("new\n")));
        assert_eq!(with_table("no markers\n", "new\n"), Ok("no markers\n".into()));
    }

    #[test]
    fn a_marker_without_its_other_is_an_error() {
        assert!(with_table(&format!("a {BEGIN} b"), "new\n").is_err());
        assert!(with_table(&format!("a {END} b"), "new\n").is_err());
    }

    #[test]
    fn the_table_has_a_row_for_each_engine_in_order_and_none_for_tests() {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let listed = listing(&format!(
            r#"[{{"path": "x/{prefix}stowmark_kv{suffix}", "engines": [
                {{"name": "kv-tree", "models": ["blobs", "records"], "tiers": [{{"tier": "os", "how": "w"}}, {{"tier": "media", "how": "f"}}],
                  "default_tier": "media"}},
                {{"name": "kv-hash", "models": ["records"]}}]}},
               {{"path": "x/{prefix}stowmark_fake{suffix}", "engines": [{{"name": "fake"}}]}}]"#
        ));
        let mut kv = plugin("kv", &["kv-tree", "kv-hash"]);
        kv.says.services = vec!["kvd".into()];
        kv.says.debian = vec!["libkv-dev".into()];
        let mut fake = plugin("fake", &["fake"]);
        fake.says.test_only = true;
        let table = table(&[fake, kv], &listed);
        let rows: Vec<_> = table.lines().skip(2).collect();
        assert_eq!(
            rows,
            [
                "| `kv-hash` | stowmark-kv | records | none | none | kvd, libkv-dev |",
                "| `kv-tree` | stowmark-kv | blobs, records | os, media | media | kvd, libkv-dev |",
            ]
        );
    }
}
