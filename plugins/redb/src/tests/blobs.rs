//! What is put, read, replaced and deleted.

use stowmark_plugin::{ErrorClass, testing};

use super::{CHUNK, bytes, class, folder, open, rows, rows_of, session, stat};
use crate::layout;

#[test]
fn blobs_of_all_lengths_come_back_as_they_were_put() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    // 17 is the length of a head: such a blob must not be taken for one.
    let row = layout::row_bytes(8, CHUNK);
    let around = |len: usize| [len - 1, len, len + 1];
    let lengths = [around(1), around(17), around(CHUNK), around(2 * row), around(3 << 20)];
    let lengths = lengths.concat();
    for (seed, len) in (1_u64..).zip(lengths.iter().copied()) {
        let (blob, key) = (bytes(len, seed), seed.to_be_bytes());
        assert_eq!(testing::put(&mut *session, &key, &blob).unwrap(), len as u64);
        assert_eq!(session.length(&key).unwrap(), len as u64);
    }
    for (seed, len) in (1_u64..).zip(lengths) {
        assert!(testing::get(&mut *session, &seed.to_be_bytes()).unwrap() == bytes(len, seed));
    }
}

#[test]
fn a_blob_that_comes_in_steps_is_stored_like_one_that_comes_whole() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    for step in [1, 7, CHUNK - 1, CHUNK, CHUNK + 1, 1 << 20] {
        for len in [0, 1, 17, CHUNK, CHUNK + 1, 5 * CHUNK + 3] {
            let blob = bytes(len, (step * 31 + len) as u64);
            let told = testing::put_in_steps(&mut *session, b"k", &blob, step).unwrap();
            assert_eq!(told, len as u64);
            assert!(testing::get(&mut *session, b"k").unwrap() == blob, "step {step}, {len} bytes");
        }
    }
}

#[test]
fn nothing_of_a_put_whose_source_fails_is_visible() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    let (old, new) = (bytes(2 * CHUNK, 1), bytes(8 * CHUNK, 2));
    for (len, fail_at) in [(CHUNK, 100), (8 * CHUNK, 0), (8 * CHUNK, 3 * CHUNK)] {
        let failed = testing::put_failing(&mut *session, b"new", &new[..len], 100, fail_at);
        assert!(failed.unwrap_err().message().contains("the source failed"));
        assert_eq!(class(testing::get(&mut *session, b"new")), ErrorClass::NotFound);

        testing::put(&mut *session, b"old", &old).unwrap();
        testing::put_failing(&mut *session, b"old", &new[..len], 100, fail_at).unwrap_err();
        assert!(testing::get(&mut *session, b"old").unwrap() == old);
    }
    drop(session);
    store.close().unwrap();
    assert_eq!(rows(folder.path()), rows_of(old.len(), b"old"));
}

#[test]
fn a_sink_that_fails_leaves_the_session_usable() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    let blob = bytes(3 * CHUNK, 1);
    testing::put(&mut *session, b"k", &blob).unwrap();
    for limit in [0, CHUNK + 1] {
        let error = testing::get_at_most(&mut *session, b"k", limit).unwrap_err();
        assert!(error.message().contains("wants no more"), "{error}");
    }
    assert!(testing::get(&mut *session, b"k").unwrap() == blob);
    testing::put(&mut *session, b"k", b"again").unwrap();
    store.compact().unwrap();
    assert_eq!(testing::get(&mut *session, b"k").unwrap(), b"again");
}

#[test]
fn overwriting_across_the_chunk_border_leaves_no_row_behind() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    let lengths = [5 * CHUNK, 2 * CHUNK, 10, 4 * CHUNK + 1, 17, 0, CHUNK + 1, CHUNK];
    let mut rows_wanted = 0;
    for before in lengths {
        for len in lengths {
            let key = format!("{before},{len}");
            testing::put(&mut *session, key.as_bytes(), &bytes(before, 1)).unwrap();
            testing::put(&mut *session, key.as_bytes(), &bytes(len, 2)).unwrap();
            assert!(testing::get(&mut *session, key.as_bytes()).unwrap() == bytes(len, 2), "{key}");
            rows_wanted += rows_of(len, key.as_bytes());
        }
    }
    drop(session);
    store.close().unwrap();
    assert_eq!(rows(folder.path()), rows_wanted);
}

#[test]
fn keys_of_any_bytes_stay_apart() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    let mut keys: Vec<Vec<u8>> = vec![
        vec![0],
        vec![0xff],
        b"a".into(),
        b"a\0".into(),
        b"a\0\0\0\0\0\0\0\0".into(),
        b"a\0\0\0\0\0\0\0\x01".into(),
        b"aa".into(),
        b"\xff\xfe\0\x01/..".into(),
        vec![0xff; 255],
        vec![0; 255],
    ];
    keys.push(keys[8][..254].into());
    // Whole and cut ones in turn, then the other way round.
    for turn in 0..2 {
        let len = |index: usize| if (index + turn).is_multiple_of(2) { 30 } else { 3 * CHUNK };
        for (index, key) in keys.iter().enumerate() {
            testing::put(&mut *session, key, &bytes(len(index), index as u64)).unwrap();
        }
        for (index, key) in keys.iter().enumerate() {
            let found = testing::get(&mut *session, key).unwrap();
            assert!(found == bytes(len(index), index as u64), "{}", key.escape_ascii());
        }
    }
    for (index, key) in keys.iter().enumerate() {
        session.delete(key).unwrap();
        for other in &keys[index + 1..] {
            session.length(other).unwrap();
        }
    }
    assert_eq!(stat(&*store, "blobs"), 0);
}

#[test]
fn a_part_of_a_blob_ends_where_the_blob_ends() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    for len in [0, 17, 1000, 3 * CHUNK + 5] {
        let blob = bytes(len, 3);
        testing::put(&mut *session, b"k", &blob).unwrap();
        let edges = [0, 1, 16, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, len, len + 1, usize::MAX];
        for offset in edges {
            for wanted in edges {
                let part = testing::get_range(&mut *session, b"k", offset as u64, wanted as u64);
                let from = offset.min(len);
                let to = offset.saturating_add(wanted).min(len);
                assert!(part.unwrap() == blob[from..to], "{offset} and {wanted} of {len}");
            }
        }
    }
}

#[test]
fn what_is_not_there_is_not_found_by_operation_and_key() {
    let folder = folder();
    let store = open(folder.path(), &[]);
    let mut session = session(&*store);
    let error = testing::get(&mut *session, b"no\x00").unwrap_err();
    assert_eq!(error.message(), "get no\\x00: no such key");
    assert_eq!(class(testing::get_range(&mut *session, b"no", 0, 1)), ErrorClass::NotFound);
    assert_eq!(class(session.length(b"no")), ErrorClass::NotFound);
    for len in [10, 3 * CHUNK] {
        testing::put(&mut *session, b"k", &bytes(len, 1)).unwrap();
        session.delete(b"k").unwrap();
        assert_eq!(class(session.delete(b"k")), ErrorClass::NotFound);
        assert_eq!(class(testing::get(&mut *session, b"k")), ErrorClass::NotFound);
    }
    drop(session);
    store.close().unwrap();
    assert_eq!(rows(folder.path()), 0);
}

#[test]
fn another_chunk_size_reads_and_replaces_what_an_earlier_one_wrote() {
    let folder = folder();
    let (cut, whole) = (bytes(10_000, 1), bytes(4000, 2));
    let store = open(folder.path(), &[("chunk", "4096")]);
    testing::put(&mut *session(&*store), b"cut", &cut).unwrap();
    testing::put(&mut *session(&*store), b"whole", &whole).unwrap();
    store.close().unwrap();

    let store = open(folder.path(), &[("chunk", "1024")]);
    let mut small = session(&*store);
    assert!(testing::get(&mut *small, b"cut").unwrap() == cut);
    assert!(testing::get(&mut *small, b"whole").unwrap() == whole);
    assert!(testing::get_range(&mut *small, b"cut", 4000, 5000).unwrap() == cut[4000..9000]);
    testing::put(&mut *small, b"cut", &whole).unwrap();
    testing::put(&mut *small, b"whole", &cut).unwrap();
    drop(small);
    store.close().unwrap();

    let store = open(folder.path(), &[("chunk", "65536")]);
    let mut large = session(&*store);
    assert!(testing::get(&mut *large, b"cut").unwrap() == whole);
    assert!(testing::get(&mut *large, b"whole").unwrap() == cut);
    large.delete(b"whole").unwrap();
    drop(large);
    store.close().unwrap();
    assert_eq!(rows(folder.path()), rows_of(whole.len(), b"cut"));
}
