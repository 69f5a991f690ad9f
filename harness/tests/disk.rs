//! Disks that are full, read-only or no disks at all. Each test mounts a small file system of its
//! own, in memory and in a mount namespace that ends with the command, so nothing is left mounted.

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use stowmark_results::Status;

use crate::support::{Outcome, Place, figures, finish, names_in, small};

/// Runs `stowmark run LINE`, made short, where `small` is a tmpfs mounted with those options. Also
/// returns what was left in it.
fn run_on(place: &Place, options: &str, line: &str) -> (Outcome, String) {
    const CANNOT_MOUNT: i32 = 77;
    let script = format!(
        "mkdir small && mount -t tmpfs -o {options} none small || exit {CANNOT_MOUNT}
         \"$@\"; code=$?; ls -A small >left; exit $code"
    );
    let mut command = Command::new("unshare");
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        command.arg("--map-root-user");
    }
    command.args(["--mount", "sh", "-c", &script, "sh"]).arg(place.program());
    command.arg("run").args(small(line));
    place.prepare(&mut command);
    let outcome = finish(&mut command);
    let left = std::fs::read_to_string(place.path("left"));
    let mounted = outcome.status.code() != Some(CANNOT_MOUNT) && left.is_ok();
    assert!(
        mounted,
        "these tests mount a tmpfs: run them as root, or let users make namespaces \
         (sysctl kernel.unprivileged_userns_clone=1): {outcome}"
    );
    (outcome, left.unwrap())
}

/// Engine by engine: one fails in the middle of a run for want of space.
fn check_full(engine: &str, label: &str) {
    let place = Place::new();
    let line = format!(
        "--engine {engine} --engine memory --durability default --data-dir small --size 1k,1M \
         --ops 6 --allow-volatile"
    );
    let (outcome, left) = run_on(&place, "size=6m", &line);
    outcome.exits(3);
    outcome.no_dump();
    assert_eq!(left, "", "nothing is left on a full disk");
    assert!(outcome.stderr.contains(&format!("{label} failed")), "{outcome}");
    assert!(outcome.stdout.contains("Something failed in this run"), "{outcome}");
    let result = place.result("result.json");
    assert_eq!(result.status, Status::Failed);
    let [failure] = &result.failures[..] else { panic!("one failure: {outcome}") };
    assert_eq!((failure.label.as_str(), failure.cause.as_str()), (label, "full"), "{outcome}");
    assert_eq!(failure.case.as_deref(), Some("put-1M"));
    assert!(failure.message.contains("No space left on device"), "{}", failure.message);
    assert!(outcome.stdout.contains("No space left on device"), "{outcome}");
    // What was measured before, and what the other measured after, is there.
    assert_eq!(figures(&result, "put-1k", label).rounds.len(), 2);
    assert_eq!(figures(&result, "get-1k", label).rounds.len(), 2);
    assert_eq!(figures(&result, "put-1M", "memory").rounds.len(), 2);
    assert_eq!(figures(&result, "get-1M", "memory").rounds.len(), 2);
}

#[test]
fn files_on_a_full_disk_fail_and_the_rest_is_measured() {
    check_full("filesystem", "filesystem");
}

#[test]
fn a_database_on_a_full_disk_fails_and_the_rest_is_measured() {
    check_full("redb", "redb");
}

#[test]
fn a_disk_that_is_full_from_the_start_is_told_before_the_run() {
    let place = Place::new();
    let line = "--engine memory --data-dir small";
    let (outcome, left) = run_on(&place, "size=64k", line);
    outcome.refused_with(1, &["No space left on device", "--data-dir DIR"]);
    assert_eq!(left, "");
    assert_eq!(place.files(), ["left", "small"]);
}

#[test]
fn a_read_only_data_folder_is_told_before_the_run() {
    let place = Place::new();
    for folder in ["small", "small/below"] {
        let place = Place::new();
        let (outcome, _) = run_on(&place, "ro", &format!("--data-dir {folder}"));
        outcome.refused_with(1, &[folder, "Read-only file system", "--data-dir DIR"]);
    }
    let (outcome, _) = run_on(&place, "ro", "--out small/result.json");
    outcome.refused_with(1, &["small/result.json", "Read-only file system", "--out FILE"]);
    place.is_clean();
}

#[test]
fn a_result_that_no_longer_fits_costs_the_file_and_not_the_figures() {
    let place = Place::new();
    let (outcome, left) = run_on(&place, "size=4k", "--engine memory --out small/result.json");
    outcome.exits(1);
    outcome.no_dump();
    assert!(outcome.stdout.contains("put 1k"), "{outcome}");
    assert!(outcome.stderr.contains("No space left on device"), "{outcome}");
    assert!(!outcome.stdout.contains("result: "), "{outcome}");
    assert_eq!(left, "", "no half of a file");
    place.is_clean();
}

#[test]
fn memory_is_no_disk_to_claim_media_on() {
    let place = Place::new();
    let (outcome, left) = run_on(&place, "size=20m", "--data-dir small");
    outcome.refused_with(1, &["media is refused", "tmpfs", "--data-dir", "--allow-volatile"]);
    assert_eq!(left, "");
    assert_eq!(place.files(), ["left", "small"]);

    let place = Place::new();
    let (outcome, _) = run_on(&place, "size=20m", "--data-dir small --allow-volatile");
    outcome.exits(0);
    assert!(outcome.stdout.contains("tmpfs, volatile"), "{outcome}");
    let result = place.result("result.json");
    assert!(result.machine.storage.as_ref().unwrap().volatile);
    assert!(result.warnings.iter().any(|warning| warning.kind == "volatile"), "{outcome}");
    assert_eq!(result.engines[0].tier.as_deref(), Some("media"));
}

#[test]
fn a_weaker_tier_needs_no_leave_in_memory() {
    let place = Place::new();
    let line = "--engine redb --durability acknowledged --data-dir small";
    let (outcome, _) = run_on(&place, "size=20m", line);
    outcome.exits(0);
    assert!(outcome.stdout.contains("tmpfs, volatile"), "{outcome}");
    assert!(names_in(&place.path("small")).is_empty(), "the mount is gone");
}
