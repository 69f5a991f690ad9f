//! What a store promises as a whole: tiers, settings, figures, several sessions, opening again.

use std::path::Path;
use std::thread;

use stowmark_plugin::{ErrorClass, Result, Tier, testing};
use tempfile::TempDir;

use super::{CHUNK, bytes, class, folder, open, rows, rows_of, session, setting, stat, try_open};

/// What another process would find had this one died just now: the file as the kernel has it.
fn after_a_crash(path: &Path, key: &[u8]) -> Result<Vec<u8>> {
    let crashed = folder();
    std::fs::copy(path.join("stowmark.redb"), crashed.path().join("stowmark.redb")).unwrap();
    let store = open(crashed.path(), &[]);
    testing::get(&mut *session(&*store), key)
}

fn opened_again(folder: &TempDir, key: &[u8]) -> Result<Vec<u8>> {
    let store = open(folder.path(), &[]);
    testing::get(&mut *session(&*store), key)
}

#[test]
fn tier_media_survives_a_crash_right_after_the_acknowledgement() {
    for settings in [&[][..], &[("two-phase-commit", "true")], &[("quick-repair", "true")]] {
        let folder = folder();
        let store = open(folder.path(), settings);
        let mut session = session(&*store);
        for len in [100, 3 * CHUNK] {
            let blob = bytes(len, 1);
            testing::put(&mut *session, b"k", &blob).unwrap();
            assert!(after_a_crash(folder.path(), b"k").unwrap() == blob);
        }
        session.delete(b"k").unwrap();
        assert_eq!(class(after_a_crash(folder.path(), b"k")), ErrorClass::NotFound);
    }
}

#[test]
fn tier_acknowledged_is_lost_by_a_crash_until_sync_or_close() {
    let folder = folder();
    let store = try_open(folder.path(), Tier::Acknowledged, &[]).unwrap();
    let mut first = session(&*store);
    testing::put(&mut *first, b"synced", b"1").unwrap();
    assert_eq!(testing::get(&mut *first, b"synced").unwrap(), b"1");
    assert_eq!(class(after_a_crash(folder.path(), b"synced")), ErrorClass::NotFound);
    store.sync().unwrap();
    assert_eq!(after_a_crash(folder.path(), b"synced").unwrap(), b"1");

    testing::put(&mut *first, b"closed", b"2").unwrap();
    assert_eq!(class(after_a_crash(folder.path(), b"closed")), ErrorClass::NotFound);
    drop(first);
    store.close().unwrap();
    assert_eq!(opened_again(&folder, b"closed").unwrap(), b"2");
}

#[test]
fn tiers_that_redb_does_not_have_are_refused() {
    for tier in [Tier::Unacknowledged, Tier::Os] {
        let folder = folder();
        let error = try_open(folder.path(), tier, &[]).err().unwrap();
        assert_eq!(error.class(), ErrorClass::Unsupported);
        assert!(error.message().contains(tier.name()), "{error}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "nothing is made");
    }
}

#[test]
fn a_chunk_size_out_of_range_is_refused() {
    for chunk in ["0", "1023", "268435457", "many"] {
        let error = try_open(folder().path(), Tier::Media, &[("chunk", chunk)]).err().unwrap();
        assert_eq!(error.class(), ErrorClass::InvalidOption, "{error}");
    }
}

#[test]
fn settings_say_what_is_in_effect() {
    let folder = folder();
    let store = open(folder.path(), &[("cache", "33554432"), ("quick-repair", "true")]);
    assert_eq!(setting(&*store, "durability"), "immediate");
    assert_eq!(setting(&*store, "cache_bytes"), "33554432");
    assert_eq!(setting(&*store, "chunk_bytes"), "1024");
    assert_eq!(setting(&*store, "two-phase-commit"), "true", "quick repair implies it");
    store.close().unwrap();
    let store = try_open(folder.path(), Tier::Acknowledged, &[]).unwrap();
    assert_eq!(setting(&*store, "durability"), "none");
    assert_eq!(setting(&*store, "quick-repair"), "false");
}

#[test]
fn the_version_is_the_one_that_cargo_locked() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    let locked = format!("name = \"redb\"\nversion = \"{}\"\n", setting(&*store, "engine.version"));
    assert!(lock.contains(&locked), "{locked}");
}

#[test]
fn a_folder_that_is_open_already_is_unavailable() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let error = try_open(folder.path(), Tier::Media, &[]).err().unwrap();
    assert_eq!(error.class(), ErrorClass::Unavailable);
    let file = folder.path().join("stowmark.redb");
    assert!(error.message().starts_with(&format!("open {}: ", file.display())), "{error}");
    assert!(error.message().contains("already open"), "{error}");
    store.close().unwrap();
    open(folder.path(), &[]);
}

#[test]
fn a_folder_that_is_gone_or_a_file_of_another_kind_cannot_be_opened() {
    let folder = folder();
    let gone = try_open(&folder.path().join("gone"), Tier::Media, &[]);
    assert_eq!(gone.err().unwrap().class(), ErrorClass::Unavailable);
    std::fs::write(folder.path().join("stowmark.redb"), bytes(10_000, 1)).unwrap();
    let foreign = try_open(folder.path(), Tier::Media, &[]);
    assert_eq!(foreign.err().unwrap().class(), ErrorClass::Corrupt);
}

#[test]
fn a_row_that_is_gone_is_corrupt_and_never_a_short_blob() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    testing::put(&mut *session(&*store), b"k", &bytes(3 * CHUNK, 1)).unwrap();
    store.close().unwrap();
    let database = redb::Database::open(folder.path().join("stowmark.redb")).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(crate::layout::CHUNKS).unwrap().pop_last().unwrap().unwrap();
    transaction.commit().unwrap();
    drop(database);
    let error = opened_again(&folder, b"k").unwrap_err();
    assert_eq!(error.class(), ErrorClass::Corrupt);
    assert!(error.message().starts_with("get k: "), "{error}");
}

#[test]
fn a_closed_store_serves_no_session() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    testing::put(&mut *session, b"k", b"v").unwrap();
    store.close().unwrap();
    assert_eq!(class(testing::get(&mut *session, b"k")), ErrorClass::Unavailable);
    assert_eq!(class(testing::put(&mut *session, b"k", b"w")), ErrorClass::Unavailable);
    assert_eq!(opened_again(&folder, b"k").unwrap(), b"v");
}

#[test]
fn sessions_on_threads_do_not_mix_up_their_blobs() {
    let folder = folder();
    let store = try_open(folder.path(), Tier::Acknowledged, &[]).unwrap();
    let store = &*store;
    thread::scope(|scope| {
        for client in 0..4_u64 {
            scope.spawn(move || {
                let mut session = store.blob_session(client as u32).unwrap();
                for round in 0..40 {
                    // Everyone's own key, whole and cut in turn, and one key that all fight for.
                    let len = if round % 2 == 0 { 500 } else { 3 * CHUNK };
                    let blob = bytes(len, client * 1000 + round);
                    testing::put(&mut *session, &client.to_be_bytes(), &blob).unwrap();
                    testing::put(&mut *session, b"all", &bytes(len, client)).unwrap();
                    assert!(testing::get(&mut *session, &client.to_be_bytes()).unwrap() == blob);
                    let found = testing::get(&mut *session, b"all").unwrap();
                    assert!((0..4).any(|other| found == bytes(found.len(), other)));
                }
            });
        }
        // Compacting in between waits for operations and holds none up for good.
        store.compact().unwrap();
    });
    assert_eq!(stat(store, "blobs"), 5);
}

#[test]
fn figures_agree_with_what_was_stored() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    assert_eq!((stat(&*store, "blobs"), stat(&*store, "logical_bytes")), (0, 0));
    let mut logical = 0;
    for (key, len) in (0_u8..).zip([0, 17, 1000, CHUNK, 5 * CHUNK + 1, 1 << 20]) {
        testing::put(&mut *session, &[key], &bytes(len, key.into())).unwrap();
        logical += len as u64;
    }
    assert_eq!(stat(&*store, "blobs"), 6);
    assert_eq!(stat(&*store, "logical_bytes"), logical);
    assert!(stat(&*store, "stored_bytes") > logical, "keys and heads come on top");
    assert!(stat(&*store, "data_bytes") > stat(&*store, "stored_bytes"));
    assert!(stat(&*store, "file_bytes") >= stat(&*store, "data_bytes"));

    session.delete(&[5]).unwrap();
    assert_eq!(stat(&*store, "blobs"), 5);
    assert_eq!(stat(&*store, "logical_bytes"), logical - (1 << 20));
    store.compact().unwrap();
    assert!(stat(&*store, "file_bytes") < 1 << 20, "compacting gives the space back");
    assert_eq!(testing::get(&mut *session, &[4]).unwrap().len(), 5 * CHUNK + 1);
    drop(session);
    store.close().unwrap();
    assert_eq!(rows(folder.path()), rows_of(17, &[1]) + rows_of(5 * CHUNK + 1, &[4]));
}

#[test]
fn a_cut_blob_fills_its_pages() {
    for (chunk, key_len) in [("524288", 1), ("524288", 255), ("65536", 255), ("4096", 16)] {
        let folder = folder();
        let store = open(folder.path(), &[("chunk", chunk)]);
        testing::put(&mut *session(&*store), &vec![b'k'; key_len], &bytes(8 << 20, 1)).unwrap();
        let (data, logical) = (stat(&*store, "data_bytes"), stat(&*store, "logical_bytes"));
        assert!(data < logical * 5 / 4, "{data} bytes for {logical} in rows of {chunk}");
    }
}
