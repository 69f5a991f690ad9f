//! `cargo xtask setup`: what engines, tests and continuous integration need, installed or named.
//!
//! Everything is looked up first, and a machine that has it all is left alone: no package list is
//! fetched, no registry asked. System packages are installed only by root on Debian; otherwise the
//! chore prints what to install and fails. Programs from the registry go to a folder of the project in
//! the user's cache, never into the user's own cargo folder.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::cargo::bare;
use crate::failure::Failure;
use crate::process::{on_path, output, pass, succeeds};
use crate::workspace::{Plugin, Workspace};

/// What continuous integration checks licences and sources with.
const CARGO_DENY: &str = "cargo-deny@0.20.2";

/// What must be there, before it is known what is.
#[derive(Default, Debug)]
struct Needs {
    /// Debian's names of system packages.
    debian: BTreeSet<String>,
    /// Programs from the registry, as `name@version`.
    tools: BTreeSet<String>,
    /// Components of the Rust toolchain, by cargo's name of the command that each brings.
    components: BTreeSet<&'static str>,
}

impl Needs {
    fn add_plugin(&mut self, plugin: &Plugin) {
        self.debian.extend(plugin.says.debian.iter().cloned());
        self.tools.extend(plugin.says.tools.iter().cloned());
    }

    /// Our reports are compared with the real ministat's.
    fn add_tests(&mut self) {
        if !on_path("ministat") {
            self.debian.insert("ministat".into());
        }
    }

    fn add_ci(&mut self) {
        self.tools.insert(CARGO_DENY.into());
        self.components.extend(["fmt", "clippy"]);
    }
}

/// The chore: for the engines named, or else for all of them and the tests.
pub(crate) fn setup(workspace: &Workspace, engines: &[String], ci: bool) -> Result<(), Failure> {
    let mut needs = Needs::default();
    for engine in engines {
        let unknown =
            || Failure::UnknownEngine { engine: engine.clone(), known: workspace.engines() };
        needs.add_plugin(workspace.plugin_of(engine).ok_or_else(unknown)?);
    }
    if engines.is_empty() {
        workspace.plugins.iter().for_each(|plugin| needs.add_plugin(plugin));
        needs.add_tests();
    }
    if ci {
        needs.add_ci();
    }
    satisfy(&needs)?;
    eprintln!("xtask: everything needed is here");
    Ok(())
}

/// What these plugins need, and nothing for tests.
pub(crate) fn for_plugins<'a>(plugins: impl Iterator<Item = &'a Plugin>) -> Result<(), Failure> {
    let mut needs = Needs::default();
    plugins.for_each(|plugin| needs.add_plugin(plugin));
    satisfy(&needs)
}

/// What `cargo xtask test` needs.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<(), Failure> {
    let mut needs = Needs::default();
    workspace.plugins.iter().for_each(|plugin| needs.add_plugin(plugin));
    needs.add_tests();
    satisfy(&needs)
}

fn satisfy(needs: &Needs) -> Result<(), Failure> {
    let mut advice = Vec::new();
    let absent = absent_packages(&needs.debian);
    if !absent.is_empty() && is_debian() && is_root() {
        apt_install(&absent)?;
    } else if !absent.is_empty() {
        advice.push(format!("system packages, by Debian's names: {}", absent.join(" ")));
        if is_debian() {
            advice.push(format!("  sudo apt-get install {}", absent.join(" ")));
        }
    }
    for component in &needs.components {
        if !succeeds(bare().args([component, "--version"])) {
            let name = if *component == "fmt" { "rustfmt" } else { component };
            advice.push(format!("cargo {component}: rustup component add {name}"));
        }
    }
    if !advice.is_empty() {
        return Err(Failure::Missing(advice.join("\n")));
    }
    needs.tools.iter().try_for_each(|tool| install_tool(tool))
}

/// Those of the packages that are not installed. Where dpkg is not there to ask, all of them: a
/// system that has them under other names must say so by having the programs on the PATH.
fn absent_packages(packages: &BTreeSet<String>) -> Vec<String> {
    if packages.is_empty() {
        return Vec::new();
    }
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat=${Package} ${db:Status-Status}\n"]).args(packages);
    // It fails when it knows nothing of one of them, and still prints the others.
    let known = query.output().map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    absent_of(packages, &known.unwrap_or_default())
}

fn absent_of(packages: &BTreeSet<String>, dpkg_says: &str) -> Vec<String> {
    let here: BTreeSet<_> =
        dpkg_says.lines().filter_map(|line| line.strip_suffix(" installed")).collect();
    packages.iter().filter(|package| !here.contains(package.as_str())).cloned().collect()
}

fn apt_install(packages: &[String]) -> Result<(), Failure> {
    eprintln!("xtask: installing {}", packages.join(" "));
    let quiet = ["-o", "Dpkg::Use-Pty=0", "-qq"];
    // Captured, so that it is silent while all goes well and complete when it does not.
    output(Command::new("apt-get").args(quiet).arg("update"))?;
    let mut install = Command::new("apt-get");
    install.args(quiet).args(["install", "--yes", "--no-install-recommends"]).args(packages);
    output(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(())
}

fn is_debian() -> bool {
    on_path("apt-get") && on_path("dpkg-query")
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|uid| uid.trim() == "0")
}

/// Where programs from the registry go; `.ci/run` knows it too.
fn tools_folder() -> Result<PathBuf, Failure> {
    let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let advice = "set HOME or XDG_CACHE_HOME to an absolute path, for a folder of tools";
    Ok(cache.ok_or_else(|| Failure::Missing(advice.into()))?.join("stowmark").join("tools"))
}

fn install_tool(tool: &str) -> Result<(), Failure> {
    let folder = tools_folder()?;
    let listed = fs::read_to_string(folder.join(".crates.toml")).unwrap_or_default();
    if lists(&listed, tool) {
        return Ok(());
    }
    eprintln!("xtask: building {tool} into {}", folder.display());
    pass(bare().args(["install", "--quiet", "--locked", tool, "--root"]).arg(folder))
}

/// Whether cargo's own list of what it installed, `"NAME VERSION (SOURCE)" = [...]` a line, has it.
fn lists(crates_toml: &str, tool: &str) -> bool {
    let start = format!("\"{} (", tool.replace('@', " "));
    crates_toml.lines().any(|line| line.starts_with(&start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_packages_in_the_state_installed_are_there() {
        let packages = ["gcc", "ministat", "perl", "zsh"].map(str::to_owned).into();
        let dpkg_says = "gcc installed\nministat config-files\nzsh not-installed\n";
        assert_eq!(absent_of(&packages, dpkg_says), ["ministat", "perl", "zsh"]);
    }

    #[test]
    fn a_tool_counts_only_in_the_version_asked_for() {
        let list = "[v1]\n\"cargo-deny 0.20.2 (registry)\" = [\"cargo-deny\"]\n";
        assert!(lists(list, "cargo-deny@0.20.2"));
        assert!(!lists(list, "cargo-deny@0.20.20"));
        assert!(!lists(list, "deny@0.20.2"));
    }

    #[test]
    fn an_unknown_engine_is_refused_with_the_names_there_are() {
        let workspace = Workspace::load().expect("cargo metadata works in tests");
        let failure = setup(&workspace, &["reddb".into()], false).unwrap_err().to_string();
        assert!(failure.contains("`reddb`") && failure.contains("null, redb"), "{failure}");
    }
}
