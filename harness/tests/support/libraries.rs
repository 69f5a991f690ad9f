//! Makes libraries that are wrong in one way each: from C, or by changing bytes of a built plugin.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use stowmark_abi::manifest::{HEADER_LEN, Header, MAGIC};
use stowmark_abi::{ABI_MAJOR, ABI_MINOR};

/// Where the manifest's header holds the ABI's major number.
pub(crate) const ABI_MAJOR_AT: usize = 20;

/// A copy of a file in which its bytes were changed.
pub(crate) fn changed(from: &Path, to: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(from).unwrap();
    change(&mut bytes);
    fs::write(to, bytes).unwrap();
}

/// A plugin's manifest and what follows it in the file.
fn manifest(bytes: &mut [u8]) -> &mut [u8] {
    let found = bytes.windows(MAGIC.len()).position(|window| window == MAGIC);
    &mut bytes[found.expect("a plugin's file holds the manifest's magic")..]
}

/// Puts a number into the manifest's header.
pub(crate) fn set_header(bytes: &mut [u8], offset: usize, number: u32) {
    manifest(bytes)[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
}

/// The manifest's text and what follows it.
pub(crate) fn manifest_json(bytes: &mut [u8]) -> &mut [u8] {
    &mut manifest(bytes)[HEADER_LEN..]
}

/// A shared library made from C, `libNAME.so`.
pub(crate) fn c_library(folder: &Path, name: &str, source: &str, arguments: &[&str]) -> PathBuf {
    let path = folder.join(format!("lib{name}.so"));
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, source).unwrap();
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&path, &file])
        .args(arguments)
        .status()
        .expect("these tests need a C compiler, `cc`");
    assert!(status.success(), "cc failed on {source}");
    fs::remove_file(file).unwrap();
    path
}

/// The C text of a manifest of this harness's ABI, with one engine that bears the plugin's name.
pub(crate) fn c_manifest(plugin: &str) -> String {
    let json = format!(
        r#"{{"name":"{plugin}","version":"1","engines":[{{"name":"{plugin}","models":["blobs"],
        "tiers":[{{"tier":"os"}}],"default_tier":"os"}}]}}"#
    );
    let json_len = u32::try_from(json.len()).unwrap();
    let header = Header { json_len, abi_major: ABI_MAJOR, abi_minor: ABI_MINOR }.to_bytes();
    let bytes: Vec<String> =
        header.iter().chain(json.as_bytes()).map(ToString::to_string).collect();
    format!("const unsigned char STOWMARK_MANIFEST[] = {{{}}};\n", bytes.join(","))
}
