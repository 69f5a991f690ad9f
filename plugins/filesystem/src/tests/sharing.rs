//! More than one at the store: sessions on threads, openings after one another and at once.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use stowmark_plugin::{ErrorClass, OpenRequest, Schema, Tier, testing};

use super::{CHUNK, Opened, blob_schema, bytes, files, open};

#[test]
fn readers_of_a_key_that_many_write_see_whole_blobs_only() {
    let opened = Opened::new(Tier::Os, "1");
    // Each writer's blobs have one byte throughout and a length that belongs to it.
    let len = |writer: u8| 3 * CHUNK + usize::from(writer) * 1000;
    testing::put(&mut *opened.session(), b"k", &vec![0; len(0)]).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut session = opened.session();
                    let mut seen = HashSet::new();
                    loop {
                        let last = done.load(Ordering::Relaxed);
                        let blob = testing::get(&mut *session, b"k").unwrap();
                        let writer = blob[0];
                        assert_eq!(blob.len(), len(writer));
                        assert!(blob.iter().all(|byte| *byte == writer));
                        seen.insert(writer);
                        if last {
                            break seen;
                        }
                    }
                })
            })
            .collect();
        let writers: Vec<_> = (1..=4)
            .map(|writer| {
                let opened = &opened;
                scope.spawn(move || {
                    let mut session = opened.session();
                    for _ in 0..200 {
                        let blob = vec![writer; len(writer)];
                        testing::put_in_steps(&mut *session, b"k", &blob, CHUNK).unwrap();
                    }
                })
            })
            .collect();
        // The readers end even if a writer's assertion failed.
        let outcomes: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        done.store(true, Ordering::Relaxed);
        for outcome in outcomes {
            outcome.unwrap();
        }
        for reader in readers {
            // What each saw last was put by a writer: all of them were done by then.
            assert!(reader.join().unwrap().iter().any(|writer| *writer != 0));
        }
    });
    assert_eq!(opened.files().len(), 1);
}

#[test]
fn sessions_that_make_the_same_new_folders_at_once_do_not_disturb_each_other() {
    for tier in [Tier::Os, Tier::Media] {
        let opened = Opened::new(tier, "2");
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for client in 0..4_u8 {
                let (opened, start) = (&opened, &start);
                scope.spawn(move || {
                    let mut session = opened.session();
                    start.wait();
                    for number in 0..25_u8 {
                        testing::put(&mut *session, &[number], b"all").unwrap();
                        testing::put(&mut *session, &[number, client], &[client]).unwrap();
                    }
                });
            }
        });
        let mut session = opened.session();
        for number in 0..25_u8 {
            assert_eq!(testing::get(&mut *session, &[number]).unwrap(), b"all");
            for client in 0..4_u8 {
                let got = testing::get(&mut *session, &[number, client]).unwrap();
                assert_eq!(got, [client]);
            }
        }
        assert_eq!(opened.files().len(), 125);
    }
}

#[test]
fn what_was_put_is_there_after_close_and_after_a_crash() {
    for tier in [Tier::Os, Tier::Media] {
        let folder = tempfile::tempdir().unwrap();
        let blob = bytes(2 * CHUNK, 0);
        let store = open(folder.path(), tier, "1").unwrap();
        testing::put(&mut *store.blob_session(0).unwrap(), b"closed", &blob).unwrap();
        store.close().unwrap();
        drop(store);
        let store = open(folder.path(), tier, "1").unwrap();
        testing::put(&mut *store.blob_session(0).unwrap(), b"crashed", &blob).unwrap();
        drop(store);
        let store = open(folder.path(), tier, "1").unwrap();
        store.prepare(&blob_schema()).unwrap();
        let mut session = store.blob_session(0).unwrap();
        assert_eq!(testing::get(&mut *session, b"closed").unwrap(), blob);
        assert_eq!(testing::get(&mut *session, b"crashed").unwrap(), blob);
    }
}

#[test]
fn an_opening_sweeps_what_a_killed_process_left_and_nothing_else() {
    for fanout in ["0", "1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path(), Tier::Os, fanout).unwrap();
        testing::put(&mut *store.blob_session(0).unwrap(), b"k", b"v").unwrap();
        drop(store);
        let blob = folder.path().join(&files(folder.path())[0]);
        let left = blob.with_file_name(".put-0123456789abcdef");
        let others = [".put-0123", ".put-0123456789abcdef.bak", ".PUT-0123456789abcdef"];
        for name in others {
            std::fs::write(blob.with_file_name(name), "not ours").unwrap();
        }
        std::fs::write(&left, "part of a blob").unwrap();
        drop(open(folder.path(), Tier::Os, fanout).unwrap());
        assert!(!left.exists());
        assert_eq!(files(folder.path()).len(), 1 + others.len());
    }
}

#[test]
fn an_opening_beside_another_leaves_its_temporary_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), Tier::Os, "0").unwrap();
    let temporary = folder.path().join(".put-0123456789abcdef");
    std::fs::write(&temporary, "being put").unwrap();
    let second = open(folder.path(), Tier::Os, "0").unwrap();
    assert!(temporary.exists());
    testing::put(&mut *second.blob_session(0).unwrap(), b"k", b"v").unwrap();
    assert_eq!(testing::get(&mut *first.blob_session(0).unwrap(), b"k").unwrap(), b"v");
    drop(first);
    // A session holds the store open as well.
    let session = second.blob_session(0).unwrap();
    drop(second);
    let third = open(folder.path(), Tier::Os, "0").unwrap();
    assert!(temporary.exists());
    drop((session, third));
    drop(open(folder.path(), Tier::Os, "0").unwrap());
    assert!(!temporary.exists());
}

#[test]
fn a_store_is_not_opened_with_another_fanout_than_it_was_made_with() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), Tier::Os, "2").unwrap());
    let error = open(folder.path(), Tier::Os, "1").err().unwrap();
    assert_eq!(error.class(), ErrorClass::InvalidOption);
    assert!(error.message().contains("fanout=2"), "{error}");
    drop(open(folder.path(), Tier::Os, "2").unwrap());
    std::fs::write(folder.path().join(".stowmark"), "something else").unwrap();
    let error = open(folder.path(), Tier::Os, "2").err().unwrap();
    assert_eq!(error.class(), ErrorClass::Corrupt);
}

#[test]
fn options_out_of_range_and_a_missing_folder_are_refused() {
    use stowmark_plugin::Engine;
    let folder = tempfile::tempdir().unwrap();
    for options in [
        [("chunk", "0"), ("fanout", "1")],
        [("chunk", "67108865"), ("fanout", "1")],
        [("chunk", "4096"), ("fanout", "3")],
        [("chunk", "4096"), ("fanout", "257")],
    ] {
        let error = crate::Filesystem
            .open(&OpenRequest::new(folder.path(), Tier::Os, &options))
            .err()
            .unwrap();
        assert_eq!(error.class(), ErrorClass::InvalidOption, "{error}");
    }
    let error = open(&folder.path().join("missing"), Tier::Os, "1").err().unwrap();
    assert_eq!(error.class(), ErrorClass::Unavailable);
    assert!(error.message().contains("missing"), "{error}");
}

#[test]
fn a_folder_that_goes_away_is_unavailable_rather_than_a_missing_key() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path(), Tier::Os, "1").unwrap();
    let mut session = store.blob_session(0).unwrap();
    drop(folder);
    let error = testing::put(&mut *session, b"k", b"v").unwrap_err();
    assert_eq!(error.class(), ErrorClass::Unavailable, "{error}");
}

#[test]
fn a_schema_with_fields_is_refused() {
    let opened = Opened::new(Tier::Os, "1");
    let fields = vec![stowmark_plugin::FieldSpec {
        name: "x".into(),
        kind: stowmark_plugin::ValueKind::I64,
    }];
    let error = opened.store.prepare(&Schema { fields, ..blob_schema() }).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Unsupported);
}
