//! Rules about what is locked: everything from the registry, and nothing newer than the oldest Rust
//! that we promise to build with.

use std::collections::HashSet;

use cargo_metadata::{DependencyKind, Metadata, PackageId, semver::Version};

use super::{File, Problem};

/// Every dependency that is locked comes from the registry: a git or path source could not be built
/// from a release.
pub(super) fn sources(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.path == "Cargo.lock") {
        for (index, line) in file.text.lines().enumerate() {
            if line.strip_prefix("source = \"").is_some_and(|rest| !rest.starts_with("registry+")) {
                let place = format!("Cargo.lock:{}", index + 1);
                problems.push(Problem::error(place, format!("not from the registry: {line}")));
            }
        }
    }
    problems
}

/// No package that building ours takes asks for a newer Rust than we state. What only tests use may.
pub(super) fn rust_versions(resolved: &Metadata) -> Vec<Problem> {
    let built = packages_built(resolved);
    let ours = resolved.workspace_packages().into_iter().filter_map(|p| p.rust_version.as_ref());
    let Some(stated) = ours.min() else {
        return vec![Problem::error("Cargo.toml", "states no rust-version")];
    };
    let packages = resolved.packages.iter().filter(|package| built.contains(&package.id));
    let asks = packages.filter_map(|package| {
        let asked = package.rust_version.as_ref()?;
        too_new(&format!("{} {}", package.name, package.version), asked, stated)
    });
    asks.collect()
}

fn too_new(package: &str, asked: &Version, stated: &Version) -> Option<Problem> {
    let text = || format!("asks for Rust {asked}, and ours states {stated}");
    (asked > stated).then(|| Problem::error(package, text()))
}

/// Ours and everything that they reach without going over a dependency of tests.
fn packages_built(resolved: &Metadata) -> HashSet<PackageId> {
    let nodes = resolved.resolve.as_ref().map(|resolve| &*resolve.nodes).unwrap_or_default();
    let mut to_see: Vec<_> = resolved.workspace_members.clone();
    let mut built = HashSet::new();
    while let Some(id) = to_see.pop() {
        if !built.insert(id.clone()) {
            continue;
        }
        let node = nodes.iter().find(|node| node.id == id);
        for dependency in node.map(|node| &*node.deps).unwrap_or_default() {
            let kinds = dependency.dep_kinds.iter();
            if kinds.map(|kind| kind.kind).any(|kind| kind != DependencyKind::Development) {
                to_see.push(dependency.pkg.clone());
            }
        }
    }
    built
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_source_in_the_lock_file_is_found() {
        let text = "name = \"a\"\nsource = \"registry+x\"\nname = \"b\"\nsource = \"git+x\"\n";
        let problems = sources(&[File { path: "Cargo.lock".into(), text: text.into() }]);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].place, "Cargo.lock:4");
    }

    #[test]
    fn only_a_newer_rust_than_stated_is_too_new() {
        let [older, same, newer] = [(1, 9, 0), (1, 90, 0), (1, 91, 0)]
            .map(|(major, minor, patch)| Version::new(major, minor, patch));
        assert_eq!(too_new("a 1", &older, &same), None);
        assert_eq!(too_new("a 1", &same, &same), None);
        let problem = too_new("a 1", &newer, &same).expect("a problem");
        assert!(problem.text.contains("1.91.0") && problem.text.contains("1.90.0"), "{problem:?}");
    }

    #[test]
    fn what_only_tests_use_is_not_among_what_is_built() {
        let workspace = crate::workspace::Workspace::load().expect("cargo metadata works in tests");
        let resolved = workspace.resolved().expect("the lock file is up to date");
        let built = packages_built(&resolved);
        let is_built = |name: &str| {
            resolved
                .packages
                .iter()
                .any(|package| *package.name == name && built.contains(&package.id))
        };
        assert!(is_built("abi_stable") && is_built("xtask"));
        assert!(!is_built("proptest"), "a dependency of tests only");
    }
}
