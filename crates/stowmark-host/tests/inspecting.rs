//! What inspecting finds in a plugin, and what it says of anything else.

use std::fs;
use std::path::Path;
use std::process::Command;

use stowmark_host::{AbiVersion, InspectError, inspect};

use crate::support::{
    c_library, c_manifest, changed, compile, json, library, line, set_header, set_text,
};

/// Inspects a file that is no usable plugin. Returns the error and its one line.
fn refused(path: &Path) -> (InspectError, String) {
    let error = inspect(path).unwrap_err();
    assert_eq!(error.path(), path);
    let text = line(&error);
    assert!(text.contains(path.to_str().unwrap()), "the file is named: {text}");
    (error, text)
}

#[test]
fn a_plugin_says_what_it_declared() {
    let file = inspect(&library("null")).unwrap();
    let manifest = &file.manifest;
    assert_eq!((manifest.name.as_str(), manifest.abi.major), ("null", AbiVersion::OURS.major));
    assert!(manifest.rustc.starts_with("rustc "), "{}", manifest.rustc);
    let engine = manifest.engine("null").unwrap();
    assert!(!engine.stores);
    assert_eq!(engine.models, ["blobs"]);
    assert_eq!(engine.default_tier, "media");
    let tiers: Vec<_> = engine.tiers.iter().map(|tier| tier.tier.as_str()).collect();
    assert_eq!(tiers, ["unacknowledged", "acknowledged", "os", "media"]);
    let delay = &engine.options[0];
    assert_eq!((delay.name.as_str(), delay.kind.as_str()), ("delay", "duration"));
    assert_eq!(delay.default.as_deref(), Some("0ns"));
    assert!(file.needed.iter().any(|library| library.starts_with("libc.")), "{:?}", file.needed);
}

#[test]
fn what_is_no_library_is_named_for_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let is = |content: &[u8], what: &str| {
        let path = folder.path().join("libstowmark_x.so");
        fs::write(&path, content).unwrap();
        let (error, text) = refused(&path);
        assert!(matches!(error, InspectError::NotALibrary { .. }), "{error:?}");
        assert!(text.contains(what), "{text}");
    };
    is(b"just some words\n", "a text file");
    is(b"#!/bin/sh\n", "a script");
    is(b"", "an empty file");
    is(b"!<arch>\n", "a static library");
    is(b"MZ\x90\0", "a Windows library");
    is(&[0xcf, 0xfa, 0xed, 0xfe, 7], "a macOS library");
    is(&[1, 2, 3], "no library of any known kind");

    let (error, text) = refused(folder.path());
    assert!(matches!(error, InspectError::NotALibrary { .. }), "{error:?}");
    assert!(text.contains("a folder"), "{text}");
    let (error, _) = refused(&folder.path().join("absent"));
    assert!(matches!(error, InspectError::NotReadable { .. }), "{error:?}");
}

#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("libstowmark_pipe.so");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert!(refused(&path).1.contains("no regular file"));
}

#[test]
fn a_program_and_an_object_file_are_no_libraries() {
    let (error, text) = refused(&std::env::current_exe().unwrap());
    assert!(matches!(error, InspectError::NotALibrary { .. }), "{error:?}");
    assert!(text.contains("a program"), "{text}");

    let folder = tempfile::tempdir().unwrap();
    for (kind, what) in [("-c", "an object file"), ("-no-pie", "a program")] {
        let path = folder.path().join("x");
        compile(folder.path(), "int main(void) { return 0; }", &[kind], &path, &[]);
        assert!(refused(&path).1.contains(what), "{kind}");
    }
}

#[test]
fn a_truncated_plugin_is_told_wherever_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let whole = library("null");
    let len = usize::try_from(fs::metadata(&whole).unwrap().len()).unwrap();
    for left in [10, 63, 64, 100, 5000, len / 2, len - 1] {
        let path = changed(&whole, &folder.path().join("cut"), |bytes| bytes.truncate(left));
        let (error, text) = refused(&path);
        let InspectError::Truncated { expected, found, .. } = error else {
            panic!("{left} of {len}: {error:?}");
        };
        assert!(expected > found && found == left as u64, "{text}");
    }
}

#[test]
fn a_library_for_another_machine_is_told_with_both() {
    let folder = tempfile::tempdir().unwrap();
    let other = if cfg!(target_arch = "aarch64") { (62, "x86_64") } else { (183, "aarch64") };
    let path = changed(&library("null"), &folder.path().join("cpu"), |bytes| {
        bytes[18..20].copy_from_slice(&u16::to_le_bytes(other.0));
    });
    let (error, text) = refused(&path);
    assert!(matches!(error, InspectError::OtherCpu { .. }), "{error:?}");
    assert!(text.contains(other.1) && text.contains(std::env::consts::ARCH), "{text}");

    let path = changed(&library("null"), &folder.path().join("bits"), |bytes| bytes[4] = 1);
    let (error, text) = refused(&path);
    assert!(matches!(error, InspectError::OtherBits { .. }), "{error:?}");
    assert!(text.contains("32-bit"), "{text}");
}

#[test]
fn a_library_that_is_no_plugin_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = c_library(folder.path(), "stowmark_plain", "int answer(void) { return 42; }", &[]);
    let (error, text) = refused(&path);
    assert!(matches!(error, InspectError::NoManifest { .. }), "{error:?}");
    assert!(text.contains("no Stowmark plugin"), "{text}");
}

#[test]
fn another_major_abi_says_who_must_update() {
    let folder = tempfile::tempdir().unwrap();
    let with_major = |major: u32| {
        let to = folder.path().join(format!("abi{major}"));
        refused(&changed(&library("null"), &to, |bytes| set_header(bytes, 20, major)))
    };
    let ours = AbiVersion::OURS;
    let (error, text) = with_major(7);
    assert!(matches!(error, InspectError::AbiTooNew { .. }), "{error:?}");
    assert!(text.contains("ABI 7.0") && text.contains(&ours.to_string()), "{text}");
    assert!(text.ends_with("update stowmark"), "{text}");
    let (error, text) = with_major(0);
    assert!(matches!(error, InspectError::AbiTooOld { .. }), "{error:?}");
    assert!(text.ends_with("update the plugin"), "{text}");
}

#[test]
fn another_abi_is_told_even_where_the_text_makes_no_sense() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("null"), &folder.path().join("x"), |bytes| {
        set_text(bytes, r#"{"name""#, r#"["name""#);
        set_header(bytes, 20, 2);
    });
    assert!(matches!(refused(&path).0, InspectError::AbiTooNew { .. }));
}

#[test]
fn a_newer_minor_abi_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("null"), &folder.path().join("x"), |b| set_header(b, 24, 900));
    assert_eq!(inspect(&path).unwrap().manifest.abi.minor, 900);
}

#[test]
fn a_damaged_manifest_says_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let says = |what: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = changed(&library("null"), &folder.path().join("x"), change);
        let (error, text) = refused(&path);
        assert!(matches!(error, InspectError::DamagedManifest { .. }), "{error:?}");
        assert!(text.contains(what), "{text}");
    };
    says("text", &|bytes| set_text(bytes, r#"{"name""#, r#"["name""#));
    says("has", &|bytes| set_header(bytes, 16, 1 << 19));
    says("at most", &|bytes| set_header(bytes, 16, u32::MAX));
    says("does not begin", &|bytes| set_header(bytes, 0, 0));
    says("default tier", &|bytes| set_text(bytes, r#""media","s"#, r#""medea","s"#));
}

#[test]
fn inspecting_and_scanning_run_no_code_of_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "{}#include <stdlib.h>\n__attribute__((constructor)) static void trap(void) {{ abort(); }}",
        c_manifest(&json("trap"))
    );
    let path = c_library(folder.path(), "stowmark_trap", &source, &[]);
    assert_eq!(inspect(&path).unwrap().manifest.name, "trap");
    let catalog = stowmark_host::Catalog::scan(&[folder.path().into()]);
    assert_eq!(catalog.engine_names(), ["trap"]);
}

#[test]
fn the_manifest_survives_strip() {
    let folder = tempfile::tempdir().unwrap();
    let whole = library("memory");
    let stripped = changed(&whole, &folder.path().join("libstowmark_memory.so"), |_| ());
    assert!(Command::new("strip").arg(&stripped).status().unwrap().success());
    let len = |path: &Path| fs::metadata(path).unwrap().len();
    // Nothing is left to remove where the profile had it stripped already.
    assert!(len(&stripped) <= len(&whole));
    assert_eq!(inspect(&stripped).unwrap().manifest, inspect(&whole).unwrap().manifest);
    crate::blobs::check_round_trip(&crate::support::open_library(
        &stripped,
        &[],
        Box::new(|_, _, _| ()),
    ));
}

#[test]
fn the_manifest_survives_link_time_optimisation() {
    let folder = tempfile::tempdir().unwrap();
    let json = json("lto");
    let bytes = stowmark_abi::manifest::Header {
        json_len: u32::try_from(json.len()).unwrap(),
        abi_major: AbiVersion::OURS.major,
        abi_minor: AbiVersion::OURS.minor,
    }
    .to_bytes();
    let all: Vec<u8> = bytes.into_iter().chain(json.into_bytes()).collect();
    // The static is declared as the kit's macro declares it, and nothing refers to it.
    let source = format!(
        "#[used] #[unsafe(no_mangle)] pub static STOWMARK_MANIFEST: [u8; {}] = {all:?};",
        all.len()
    );
    let file = folder.path().join("lto.rs");
    fs::write(&file, source).unwrap();
    let library = folder.path().join("libstowmark_lto.so");
    let status = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition=2024", "--crate-type=cdylib", "-Copt-level=3", "-Clto=fat"])
        .args(["-Ccodegen-units=1", "-Cstrip=symbols", "-o"])
        .args([&library, &file])
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(inspect(&library).unwrap().manifest.name, "lto");
}
