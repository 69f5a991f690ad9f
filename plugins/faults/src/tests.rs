//! The faults that a test survives. Those that end or block a process are the harness's to test.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use stowmark_plugin::{BlobSession, Engine, Error, ErrorClass, OpenRequest, Result, Tier, testing};

use crate::Faults;

fn session(fault: &str, after: &str) -> Box<dyn BlobSession> {
    let options = [("fault", fault), ("after", after)];
    let request = OpenRequest::new(Path::new("unused"), Tier::Acknowledged, &options);
    Faults.open(&request).unwrap().blob_session(0).unwrap()
}

fn get(session: &mut dyn BlobSession, key: &[u8]) -> Result<Vec<u8>> {
    testing::get(session, key)
}

#[test]
fn without_a_fault_it_is_an_honest_engine() {
    let mut session = session("none", "0");
    assert_eq!(testing::put(&mut *session, b"k", b"value").unwrap(), 5);
    assert_eq!(get(&mut *session, b"k").unwrap(), b"value");
    assert_eq!(testing::get_range(&mut *session, b"k", 1, 2).unwrap(), b"al");
    assert_eq!(session.length(b"k").unwrap(), 5);
    session.delete(b"k").unwrap();
    assert_eq!(get(&mut *session, b"k").unwrap_err().class(), ErrorClass::NotFound);
}

#[test]
fn a_fault_strikes_only_after_as_many_operations_as_asked() {
    let mut session = session("fail-every", "2");
    let outcomes: Vec<Option<ErrorClass>> = (0..4)
        .map(|_| testing::put(&mut *session, b"k", b"v").err().as_ref().map(Error::class))
        .collect();
    let failed = Some(ErrorClass::Transient);
    assert_eq!(outcomes, [None, None, failed, failed]);
}

#[test]
fn it_lies_in_as_many_ways_as_it_says() {
    let lie = |fault: &str| {
        let mut session = session(fault, "0");
        testing::put(&mut *session, b"a", b"one").unwrap();
        let told = testing::put(&mut *session, b"b", b"two").unwrap();
        (told, get(&mut *session, b"b").ok())
    };
    assert_eq!(lie("wrong-length"), (4, Some(b"two".to_vec())));
    assert_eq!(lie("flipped-byte"), (3, Some(vec![b't', b'w', !b'o'])));
    assert_eq!(lie("other-blob"), (3, Some(b"one".to_vec())));
    assert_eq!(lie("forgets"), (3, None));
}

#[test]
fn it_panics_in_a_call_in_a_drop_and_on_a_thread() {
    let panics = |run: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(run)).is_err();
    let mut in_a_call = session("panic", "0");
    assert!(panics(&mut || drop(in_a_call.delete(b"k"))));
    let mut in_a_drop = Some(session("panic-drop", "0"));
    in_a_drop.as_mut().unwrap().delete(b"k").unwrap_err();
    assert!(panics(&mut || drop(in_a_drop.take())));
    let mut on_a_thread = session("panic-thread", "0");
    assert!(!panics(&mut || drop(on_a_thread.delete(b"k"))));
}

#[test]
fn a_call_that_hangs_goes_on_once_its_gate_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let options = [("fault", "hang-get"), ("after", "1")];
    let request = OpenRequest::new(folder.path(), Tier::Acknowledged, &options);
    let mut session = Faults.open(&request).unwrap().blob_session(0).unwrap();
    testing::put(&mut *session, b"k", b"value").unwrap();
    let reading = std::thread::spawn(move || get(&mut *session, b"k").unwrap());
    let hangs = || {
        let mut tasks = std::fs::read_dir("/proc/self/task").unwrap();
        tasks.any(|task| {
            let name = std::fs::read_to_string(task.unwrap().path().join("comm"));
            name.is_ok_and(|name| name.trim() == "hang-get")
        })
    };
    while !hangs() {
        assert!(!reading.is_finished(), "it read without waiting for the gate");
        std::thread::yield_now();
    }
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert_eq!(reading.join().unwrap(), b"value");
}

#[test]
fn an_unknown_fault_and_another_tier_are_refused() {
    let open = |fault, tier| {
        let options = [("fault", fault), ("after", "0")];
        Faults.open(&OpenRequest::new(Path::new("unused"), tier, &options)).err().unwrap().class()
    };
    assert_eq!(open("typo", Tier::Acknowledged), ErrorClass::InvalidOption);
    assert_eq!(open("none", Tier::Media), ErrorClass::Unsupported);
}
