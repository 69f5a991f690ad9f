//! What an acknowledgement promises, seen in the calls that the engine makes to the kernel and in
//! their order. [`crate::sys`] notes each call in the function that makes it.

use std::path::Path;

use stowmark_plugin::{ErrorClass, Tier, testing};

use super::{Opened, blob_schema, open};
use crate::sys::trace;

/// The calls since the last time as `call path`, relative to the store's folder, a temporary name
/// as `TEMP`.
fn calls(opened: &Opened) -> Vec<String> {
    let folder = opened.folder.path().canonicalize().unwrap();
    let show = |path: &Path| {
        let path = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        match path.split_once(".put-") {
            Some((before, digits)) if digits.len() == 16 => format!("{before}TEMP"),
            _ => path.to_owned(),
        }
    };
    trace::take().iter().map(|(call, path)| format!("{call} {}", show(path))).collect()
}

#[test]
fn media_flushes_the_file_then_new_folders_then_the_renamed_entry() {
    let opened = Opened::new(Tier::Media, "2");
    assert_eq!(calls(&opened), ["syncfs "]);
    let mut session = opened.session();
    testing::put(&mut *session, b"key", b"v").unwrap();
    let first = calls(&opened);
    let (top, leaf) = (&first[4][6..8], &first[4][6..11]);
    assert_eq!(
        first,
        [
            format!("fsync {leaf}/TEMP"),
            "fsync ".into(),
            format!("fsync {top}"),
            format!("rename {leaf}/key"),
            format!("fsync {leaf}"),
        ]
    );
    testing::put(&mut *session, b"key", b"w").unwrap();
    assert_eq!(
        calls(&opened),
        [format!("fsync {leaf}/TEMP"), format!("rename {leaf}/key"), format!("fsync {leaf}"),]
    );
    session.delete(b"key").unwrap();
    assert_eq!(calls(&opened), [format!("unlink {leaf}/key"), format!("fsync {leaf}")]);
}

#[test]
fn media_without_fanout_flushes_the_store_s_own_folder() {
    let opened = Opened::new(Tier::Media, "0");
    let mut session = opened.session();
    trace::take();
    testing::put(&mut *session, b"key", b"v").unwrap();
    session.delete(b"key").unwrap();
    assert_eq!(calls(&opened), ["fsync TEMP", "rename key", "fsync ", "unlink key", "fsync "]);
}

#[test]
fn media_flushes_a_folder_s_parent_whoever_made_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), Tier::Os, "1").unwrap();
    let second = open(folder.path(), Tier::Media, "1").unwrap();
    testing::put(&mut *first.blob_session(0).unwrap(), b"key", b"v").unwrap();
    trace::take();
    testing::put(&mut *second.blob_session(0).unwrap(), b"key", b"w").unwrap();
    let flushed = trace::take();
    let root = folder.path().canonicalize().unwrap();
    assert!(flushed.contains(&("fsync", root)), "{flushed:?}");
}

#[test]
fn prepare_makes_the_first_level_and_flushes_it_once_for_all_puts() {
    let opened = Opened::new(Tier::Media, "1");
    trace::take();
    opened.store.prepare(&blob_schema()).unwrap();
    assert_eq!(calls(&opened), ["fsync "]);
    let mut session = opened.session();
    for number in 0..20_u64 {
        testing::put(&mut *session, &number.to_be_bytes(), b"v").unwrap();
    }
    let root_flushes = calls(&opened).iter().filter(|call| *call == "fsync ").count();
    assert_eq!(root_flushes, 0);
    let folders = std::fs::read_dir(opened.folder.path()).unwrap().count() - 1;
    assert_eq!(folders, 256);
}

#[test]
fn os_flushes_nothing_until_sync_is_asked_for() {
    let opened = Opened::new(Tier::Os, "2");
    opened.store.prepare(&blob_schema()).unwrap();
    let mut session = opened.session();
    testing::put(&mut *session, b"key", b"v").unwrap();
    session.delete(b"key").unwrap();
    let before_sync = calls(&opened);
    assert!(before_sync.iter().all(|call| !call.contains("sync")), "{before_sync:?}");
    assert_eq!(before_sync.len(), 2, "{before_sync:?}");
    opened.store.sync().unwrap();
    assert_eq!(calls(&opened), ["syncfs "]);
}

#[test]
fn a_flush_that_fails_before_the_rename_leaves_the_old_blob_and_no_file() {
    let opened = Opened::new(Tier::Media, "1");
    let mut session = opened.session();
    testing::put(&mut *session, b"key", b"old").unwrap();
    for (call, key) in [("fsync", &b"key"[..]), ("rename", b"key"), ("fsync", b"other")] {
        trace::fail(call, 0);
        let error = testing::put(&mut *session, key, b"new").unwrap_err();
        assert_eq!((error.class(), error.code()), (ErrorClass::Other, 5), "{error}");
        assert!(error.message().starts_with("put "), "{error}");
        assert_eq!(testing::get(&mut *session, b"key").unwrap(), b"old");
        assert_eq!(opened.files().len(), 1);
    }
}

#[test]
fn a_folder_whose_flush_failed_is_flushed_again_by_the_next_put() {
    let opened = Opened::new(Tier::Media, "1");
    let mut session = opened.session();
    // The temporary file's flush is the first, that of the new folder's parent the second.
    trace::fail("fsync", 1);
    testing::put(&mut *session, b"key", b"v").unwrap_err();
    trace::take();
    testing::put(&mut *session, b"key", b"v").unwrap();
    assert_eq!(calls(&opened)[1], "fsync ");
}

#[test]
fn a_put_whose_last_flush_fails_is_no_success() {
    let opened = Opened::new(Tier::Media, "0");
    let mut session = opened.session();
    trace::fail("fsync", 1);
    testing::put(&mut *session, b"key", b"v").unwrap_err();
    trace::fail("fsync", 0);
    session.delete(b"key").unwrap_err();
    assert!(opened.files().is_empty());
}

#[test]
fn tiers_that_a_file_cannot_have_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for tier in [Tier::Unacknowledged, Tier::Acknowledged] {
        let error = open(folder.path(), tier, "1").err().unwrap();
        assert_eq!(error.class(), ErrorClass::Unsupported);
        assert!(error.message().contains(tier.name()), "{error}");
        assert!(error.message().contains("os or media"), "{error}");
    }
}

#[test]
fn settings_say_what_is_flushed_and_are_read_from_the_store() {
    let setting = |opened: &Opened, name: &str| {
        let settings = opened.store.settings().unwrap();
        settings.into_iter().find(|(key, _)| key == name).unwrap().1
    };
    let (os, media) = (Opened::new(Tier::Os, "0"), Opened::new(Tier::Media, "2"));
    assert_eq!(setting(&os, "flush.put"), "none");
    assert!(setting(&media, "flush.put").contains("fsync temporary"));
    assert_eq!(setting(&media, "fanout"), "2");
    assert_eq!(setting(&os, "chunk"), "4096");
    assert!(setting(&os, "engine.version").contains(' '));
}
