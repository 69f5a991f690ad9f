//! Who may depend on whom. The table is the design; a crate that is not in it has no place yet.
//!
//! The arrows hold for every kind of dependency, those of tests and build scripts included. Since
//! no package at all may depend on a plugin, no target links two of them either.

use super::Problem;
use crate::workspace::Workspace;

/// What a crate of ours may depend on among the other crates of ours.
enum May {
    /// These, and no others.
    Use(&'static [&'static str]),
    /// Any but a plugin: the composition root.
    UseAny,
}

/// What every plugin may use: the authors' kit.
const PLUGIN: May = May::Use(&["stowmark-plugin"]);

/// The crates that are no plugins.
const ARROWS: &[(&str, May)] = &[
    ("stowmark-abi", May::Use(&[])),
    ("stowmark-plugin", May::Use(&["stowmark-abi"])),
    ("stowmark-host", May::Use(&["stowmark-abi"])),
    ("stowmark-workload", May::Use(&[])),
    ("stowmark-results", May::Use(&[])),
    ("stowmark-runner", May::Use(&["stowmark-host", "stowmark-workload", "stowmark-results"])),
    ("stowmark-report", May::Use(&["stowmark-results"])),
    ("stowmark-services", May::Use(&[])),
    ("stowmark-conformance", May::Use(&["stowmark-host"])),
    ("stowmark-serve", May::Use(&["stowmark-host"])),
    ("stowmark", May::UseAny),
    ("xtask", May::Use(&[])),
];

/// A package of the workspace and which others of the workspace it depends on.
pub(super) struct Member {
    name: String,
    is_plugin: bool,
    uses: Vec<String>,
}

pub(super) fn members(workspace: &Workspace) -> Vec<Member> {
    let ours = |name: &str| workspace.packages.iter().any(|package| *package.name == name);
    let member = |package: &cargo_metadata::Package| Member {
        name: package.name.to_string(),
        is_plugin: workspace.plugins.iter().any(|plugin| *package.name == plugin.package),
        uses: package.dependencies.iter().map(|d| d.name.clone()).filter(|n| ours(n)).collect(),
    };
    workspace.packages.iter().map(member).collect()
}

pub(super) fn check(members: &[Member]) -> Vec<Problem> {
    let is_plugin =
        |name: &str| members.iter().any(|member| member.is_plugin && member.name == name);
    let mut problems = Vec::new();
    for member in members {
        let arrow = ARROWS.iter().find(|(name, _)| *name == member.name).map(|(_, may)| may);
        let may = if member.is_plugin { Some(&PLUGIN) } else { arrow };
        let Some(may) = may else {
            let text = "has no place in the table of arrows (crates/xtask/src/tidy/arrows.rs)";
            problems.push(Problem::error(&member.name, text));
            continue;
        };
        for used in &member.uses {
            if is_plugin(used) {
                let text = format!("depends on the plugin {used}; a plugin is only ever loaded");
                problems.push(Problem::error(&member.name, text));
            } else if !allowed(may, used) {
                let text = format!("may not depend on {used}{}", but_on(may));
                problems.push(Problem::error(&member.name, text));
            }
        }
    }
    problems
}

fn allowed(may: &May, used: &str) -> bool {
    match may {
        May::UseAny => true,
        May::Use(names) => names.contains(&used),
    }
}

fn but_on(may: &May) -> String {
    match may {
        May::UseAny => String::new(),
        May::Use([]) => ": it depends on none of ours".into(),
        May::Use(names) => format!(", only on {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, is_plugin: bool, uses: &[&str]) -> Member {
        let uses = uses.iter().map(|name| (*name).to_owned()).collect();
        Member { name: name.into(), is_plugin, uses }
    }

    fn problems(members: &[Member]) -> Vec<String> {
        check(members).into_iter().map(|p| format!("{}: {}", p.place, p.text)).collect()
    }

    #[test]
    fn the_arrows_of_the_design_are_allowed() {
        let members = [
            member("stowmark", false, &["stowmark-host", "stowmark-report", "stowmark-runner"]),
            member("stowmark-runner", false, &["stowmark-host", "stowmark-results"]),
            member("stowmark-redb", true, &["stowmark-plugin"]),
        ];
        assert_eq!(problems(&members), [""; 0]);
    }

    #[test]
    fn an_arrow_against_the_design_is_named_with_what_is_allowed() {
        let members = [
            member("stowmark-report", false, &["stowmark-runner"]),
            member("stowmark-abi", false, &["stowmark-plugin"]),
            member("stowmark-redb", true, &["stowmark-abi"]),
        ];
        assert_eq!(
            problems(&members),
            [
                "stowmark-report: may not depend on stowmark-runner, only on stowmark-results",
                "stowmark-abi: may not depend on stowmark-plugin: it depends on none of ours",
                "stowmark-redb: may not depend on stowmark-abi, only on stowmark-plugin",
            ]
        );
    }

    #[test]
    fn nobody_depends_on_a_plugin_not_even_the_harness() {
        let members = [
            member("stowmark", false, &["stowmark-redb"]),
            member("stowmark-redb", true, &[]),
            member("stowmark-null", true, &["stowmark-redb"]),
        ];
        let problems = problems(&members);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems.iter().all(|text| text.contains("depends on the plugin stowmark-redb")));
    }

    #[test]
    fn a_new_crate_must_be_given_its_place() {
        let problems = problems(&[member("stowmark-extra", false, &[])]);
        assert!(problems[0].contains("no place in the table"), "{problems:?}");
    }
}
