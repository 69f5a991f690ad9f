//! What the engine promises, tried without a host.

use std::path::Path;

use stowmark_plugin::{BlobSession, Engine, ErrorClass, OpenRequest, Tier, testing};

use crate::Null;

fn session(options: &[(&str, &str)]) -> Box<dyn BlobSession> {
    let request = OpenRequest::new(Path::new("unused"), Tier::Media, options);
    Null.open(&request).unwrap().blob_session(0).unwrap()
}

#[test]
fn a_get_gives_zeros_of_the_length_of_the_last_put() {
    let mut session = session(&[("delay", "0"), ("fail-every", "0")]);
    assert_eq!(testing::get(&mut *session, b"k").unwrap(), b"");
    assert_eq!(testing::put(&mut *session, b"k", &[7; 3_000_000]).unwrap(), 3_000_000);
    assert_eq!(testing::get(&mut *session, b"k").unwrap(), vec![0; 3_000_000]);
    testing::put_in_steps(&mut *session, b"k", &[7; 11], 2).unwrap();
    assert_eq!(testing::get(&mut *session, b"k").unwrap(), vec![0; 11]);
    assert_eq!(testing::get_range(&mut *session, b"k", 8, 100).unwrap(), vec![0; 3]);
}

#[test]
fn each_third_operation_fails_when_asked() {
    let mut session = session(&[("delay", "0"), ("fail-every", "3")]);
    let outcomes: Vec<bool> =
        (0..6).map(|_| testing::put(&mut *session, b"k", b"v").is_ok()).collect();
    assert_eq!(outcomes, [true, true, false, true, true, false]);
    session.delete(b"k").unwrap();
    session.delete(b"k").unwrap();
    assert_eq!(session.delete(b"k").unwrap_err().class(), ErrorClass::Transient);
}

#[test]
fn a_delay_passes_before_the_operation_returns() {
    let mut session = session(&[("delay", "2000000"), ("fail-every", "0")]);
    let start = std::time::Instant::now();
    testing::put(&mut *session, b"k", b"v").unwrap();
    assert!(start.elapsed().as_nanos() >= 2_000_000);
}
