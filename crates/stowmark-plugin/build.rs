//! Tells the manifest which compiler and profile this kit, and so the plugin, was built with.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    // Quotes and backslashes cannot occur in it, so the manifest needs no escape for it.
    println!("cargo::rustc-env=STOWMARK_KIT_RUSTC={}", version.trim());
    let opt_level = env::var("OPT_LEVEL").unwrap_or_default();
    let profile = if opt_level == "0" || env::var("PROFILE").as_deref() == Ok("debug") {
        "debug"
    } else {
        "release"
    };
    println!("cargo::rustc-env=STOWMARK_KIT_PROFILE={profile}");
}
