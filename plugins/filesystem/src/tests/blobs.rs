//! One session: what is put is what is got, under any key and at any length.

use stowmark_plugin::{ErrorClass, Tier, testing};

use super::{CHUNK, Opened, blob_schema, bytes, open};

#[test]
fn every_length_comes_back_from_one_piece_and_from_steps_at_every_fanout() {
    for fanout in ["0", "1", "2"] {
        let opened = Opened::new(Tier::Os, fanout);
        let mut session = opened.session();
        for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 5_000_003] {
            let (whole, stepped) = (bytes(len, 1), bytes(len, 2));
            assert_eq!(testing::put(&mut *session, b"whole", &whole).unwrap(), len as u64);
            for step in [CHUNK - 1, 10 * CHUNK] {
                let put = testing::put_in_steps(&mut *session, b"stepped", &stepped, step);
                assert_eq!(put.unwrap(), len as u64);
            }
            assert!(testing::get(&mut *session, b"whole").unwrap() == whole, "{len}");
            assert!(testing::get(&mut *session, b"stepped").unwrap() == stepped, "{len}");
            assert_eq!(session.length(b"whole").unwrap(), len as u64);
        }
    }
}

#[test]
fn a_range_is_cut_at_the_end_of_the_blob() {
    let opened = Opened::new(Tier::Os, "1");
    let mut session = opened.session();
    let blob = bytes(3 * CHUNK, 0);
    testing::put(&mut *session, b"k", &blob).unwrap();
    let mut range = |offset, len| testing::get_range(&mut *session, b"k", offset, len).unwrap();
    assert_eq!(range(0, 0), b"");
    assert_eq!(range(5, 10), blob[5..15]);
    assert_eq!(range(100, 2 * CHUNK as u64), blob[100..100 + 2 * CHUNK]);
    assert_eq!(range(3 * CHUNK as u64 - 1, u64::MAX), blob[3 * CHUNK - 1..]);
    assert_eq!(range(3 * CHUNK as u64, 1), b"");
    assert_eq!(range(u64::MAX, u64::MAX), b"");
}

#[test]
fn a_put_replaces_what_was_there_by_something_longer_or_shorter() {
    let opened = Opened::new(Tier::Os, "1");
    let mut session = opened.session();
    for len in [10, 3 * CHUNK, 5, 0, 7] {
        testing::put(&mut *session, b"k", &bytes(len, 3)).unwrap();
        assert_eq!(testing::get(&mut *session, b"k").unwrap(), bytes(len, 3));
    }
    assert_eq!(opened.files().len(), 1);
}

#[test]
fn what_is_not_there_is_not_found_and_a_second_delete_says_so() {
    let opened = Opened::new(Tier::Os, "2");
    let mut session = opened.session();
    let class = |error: stowmark_plugin::Error| {
        assert!(error.message().contains("a\\x00b"), "{error}");
        error.class()
    };
    let key = b"a\0b";
    for _ in 0..2 {
        assert_eq!(class(testing::get(&mut *session, key).unwrap_err()), ErrorClass::NotFound);
        let range = testing::get_range(&mut *session, key, u64::MAX, 1);
        assert_eq!(class(range.unwrap_err()), ErrorClass::NotFound);
        assert_eq!(class(session.length(key).unwrap_err()), ErrorClass::NotFound);
        assert_eq!(class(session.delete(key).unwrap_err()), ErrorClass::NotFound);
        testing::put(&mut *session, key, b"v").unwrap();
        session.delete(key).unwrap();
    }
    assert!(opened.files().is_empty());
}

/// Keys that a careless engine would merge, lose, or write elsewhere.
fn hostile_keys() -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    let texts = [
        "",
        "..",
        "...",
        "//",
        "../../etc/passwd",
        "a/b",
        "a%2fb",
        "a%2Fb",
        "a%252fb",
        "Key",
        "key",
        "KEY",
        "%6bey",
        ".put-0123456789abcdef",
        ".stowmark",
        "ab/cd",
        " lead",
        "trail ",
    ];
    keys.extend(texts.map(|text| text.as_bytes().to_vec()));
    for len in [84, 85, 86, 127, 128, 254, 255, 256, 4096, 70_000] {
        keys.extend([b'k', 0, 0xff, b'/'].map(|byte| vec![byte; len]));
        let mut differs_last = vec![b'k'; len - 1];
        differs_last.push(b'K');
        keys.push(differs_last);
    }
    keys.extend((0..300_u64).map(|number| number.to_be_bytes().to_vec()));
    keys
}

#[test]
fn hostile_keys_stay_apart_and_inside_the_folder() {
    for fanout in ["0", "1", "2"] {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("store");
        std::fs::create_dir(&folder).unwrap();
        let store = open(&folder, Tier::Os, fanout).unwrap();
        let mut session = store.blob_session(0).unwrap();
        let keys = hostile_keys();
        for (number, key) in keys.iter().enumerate() {
            testing::put(&mut *session, key, &number.to_be_bytes()).unwrap();
        }
        assert_eq!(super::files(&folder).len(), keys.len());
        assert_eq!(super::files(outer.path()).len(), keys.len());
        for (number, key) in keys.iter().enumerate() {
            let got = testing::get(&mut *session, key).unwrap();
            assert_eq!(got, number.to_be_bytes(), "{}", key.escape_ascii());
        }
        for key in &keys {
            session.delete(key).unwrap();
        }
        assert!(super::files(&folder).is_empty());
    }
}

#[test]
fn a_source_that_fails_leaves_the_old_blob_and_no_file() {
    for tier in [Tier::Os, Tier::Media] {
        let opened = Opened::new(tier, "1");
        let mut session = opened.session();
        testing::put(&mut *session, b"old", b"stays").unwrap();
        for key in [&b"old"[..], b"new"] {
            for fail_at in [0, 2 * CHUNK] {
                let blob = bytes(3 * CHUNK, 0);
                let put = testing::put_failing(&mut *session, key, &blob, CHUNK, fail_at);
                assert!(put.unwrap_err().message().contains("as the test asked"));
            }
        }
        assert_eq!(testing::get(&mut *session, b"old").unwrap(), b"stays");
        assert_eq!(session.length(b"new").unwrap_err().class(), ErrorClass::NotFound);
        assert_eq!(opened.files().len(), 1);
        testing::put(&mut *session, b"new", b"after").unwrap();
        assert_eq!(testing::get(&mut *session, b"new").unwrap(), b"after");
    }
}

#[test]
fn a_sink_that_wants_no_more_leaves_the_session_usable() {
    let opened = Opened::new(Tier::Os, "1");
    let mut session = opened.session();
    let blob = bytes(3 * CHUNK, 0);
    testing::put(&mut *session, b"k", &blob).unwrap();
    let refused = testing::get_at_most(&mut *session, b"k", CHUNK).unwrap_err();
    assert!(refused.message().contains("wants no more"), "{refused}");
    assert_eq!(testing::get(&mut *session, b"k").unwrap(), blob);
}

#[test]
fn figures_count_blobs_and_what_they_occupy_and_nothing_else() {
    for fanout in ["0", "1", "2"] {
        let opened = Opened::new(Tier::Os, fanout);
        opened.store.prepare(&blob_schema()).unwrap();
        let mut session = opened.session();
        assert_eq!(opened.stat("blobs"), 0);
        testing::put(&mut *session, b"one", &bytes(100_000, 0)).unwrap();
        testing::put(&mut *session, b"two", b"12345").unwrap();
        opened.store.sync().unwrap();
        assert_eq!((opened.stat("blobs"), opened.stat("logical_bytes")), (2, 100_005));
        assert!(opened.stat("data_bytes").is_multiple_of(512));
        session.delete(b"one").unwrap();
        assert_eq!((opened.stat("blobs"), opened.stat("logical_bytes")), (1, 5));
        opened.store.compact().unwrap();
        assert_eq!(testing::get(&mut *session, b"two").unwrap(), b"12345");
    }
}
