//! Finds the built plugins, opens their stores, and makes broken libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use stowmark_abi::manifest::{HEADER_LEN, Header, MAGIC};
use stowmark_abi::{ABI_MAJOR, ABI_MINOR};
use stowmark_host::{LogSink, OpenSpec, Plugin, PluginFile, Store, Tier, inspect};

/// The built library of that plugin.
pub(crate) fn library(plugin: &str) -> PathBuf {
    library_in("STOWMARK_PLUGIN_PATH", plugin)
}

/// The library of that plugin in one of the folders that the variable lists.
pub(crate) fn library_in(variable: &str, plugin: &str) -> PathBuf {
    let file = format!("libstowmark_{plugin}.so");
    let folders = variable_of_xtask(variable);
    std::env::split_paths(&folders)
        .map(|folder| folder.join(&file))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{file} is in no folder of {variable}; run `cargo xtask test`"))
}

pub(crate) fn variable_of_xtask(name: &str) -> std::ffi::OsString {
    std::env::var_os(name).unwrap_or_else(|| panic!("{name} is not set; run `cargo xtask test`"))
}

/// Inspects and loads a library.
pub(crate) fn load(path: &Path) -> (PluginFile, Plugin) {
    let file = inspect(path).unwrap();
    let plugin = Plugin::load(&file, None).unwrap();
    (file, plugin)
}

/// A store of that plugin's engine, with the default of every option that is not given.
pub(crate) fn open(plugin: &str, options: &[(&str, &str)]) -> Store {
    open_library(&library(plugin), options, Box::new(|_, _, _| ()))
}

pub(crate) fn open_library(path: &Path, options: &[(&str, &str)], log: LogSink) -> Store {
    let (file, plugin) = load(path);
    let engine = &file.manifest.engines[0];
    let given = |name: &str| options.iter().find(|(given, _)| *given == name);
    let options: Vec<(String, String)> = engine
        .options
        .iter()
        .filter_map(|option| {
            let default = option.default.as_deref()?.trim_end_matches("ns");
            let value = given(&option.name).map_or(default, |(_, value)| value);
            Some((option.name.clone(), value.into()))
        })
        .collect();
    let spec = OpenSpec {
        options: &options,
        tier: Tier::from_name(&engine.default_tier).unwrap(),
        data_dir: Path::new("unused"),
    };
    plugin.engine(&engine.name).unwrap().open(&spec, log).unwrap()
}

/// A copy of a file in which its bytes were changed.
pub(crate) fn changed(from: &Path, to: &Path, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = fs::read(from).unwrap();
    change(&mut bytes);
    fs::write(to, bytes).unwrap();
    to.into()
}

/// Where the manifest's bytes begin in a plugin's file.
pub(crate) fn manifest_at(bytes: &[u8]) -> usize {
    let found = bytes.windows(MAGIC.len()).position(|window| window == MAGIC);
    found.expect("a plugin's file holds the manifest's magic")
}

/// Puts a number into the manifest's header: 16 is the text's length, 20 and 24 the ABI's numbers.
pub(crate) fn set_header(bytes: &mut [u8], offset: usize, number: u32) {
    let at = manifest_at(bytes) + offset;
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// Replaces a text of the manifest by another of the same length.
pub(crate) fn set_text(bytes: &mut [u8], from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let start = manifest_at(bytes) + HEADER_LEN;
    let windows = &mut bytes[start..].windows(from.len());
    let at = start + windows.position(|window| window == from.as_bytes()).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
}

/// A shared library made from C.
pub(crate) fn c_library(folder: &Path, name: &str, source: &str, arguments: &[&str]) -> PathBuf {
    let path = folder.join(format!("lib{name}.so"));
    compile(folder, source, &["-shared", "-fPIC"], &path, arguments);
    path
}

/// Runs the C compiler.
pub(crate) fn compile(folder: &Path, source: &str, kind: &[&str], to: &Path, after: &[&str]) {
    let file = folder.join("source.c");
    fs::write(&file, source).unwrap();
    let status = Command::new("cc")
        .args(kind)
        .arg("-o")
        .args([to, &file])
        .args(after)
        .status()
        .expect("these tests need a C compiler, `cc`");
    assert!(status.success(), "cc failed on {source}");
}

/// The C text of a manifest of this host's ABI.
pub(crate) fn c_manifest(json: &str) -> String {
    let json_len = u32::try_from(json.len()).unwrap();
    let header = Header { json_len, abi_major: ABI_MAJOR, abi_minor: ABI_MINOR }.to_bytes();
    let bytes: Vec<String> =
        header.iter().chain(json.as_bytes()).map(ToString::to_string).collect();
    format!("const unsigned char STOWMARK_MANIFEST[] = {{{}}};\n", bytes.join(","))
}

/// The text of a manifest with one engine.
pub(crate) fn json(plugin: &str) -> String {
    format!(
        r#"{{"name":"{plugin}","version":"1","engines":[{{"name":"{plugin}","models":["blobs"],
        "tiers":[{{"tier":"os"}}],"default_tier":"os"}}]}}"#
    )
}

/// The text of an error, which is one line of a bearable length.
pub(crate) fn line(error: &impl std::error::Error) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n'), "more than one line: {text}");
    assert!(text.len() < 600, "too long: {text}");
    text
}
