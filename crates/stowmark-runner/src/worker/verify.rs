//! Reading back what was stored, outside of any clock, and comparing it byte for byte.

use std::ops;

use stowmark_host::{ErrorClass, OpError};
use stowmark_workload::{Key, Payloads};

use super::batch::payload_id;
use super::session::Session;
use super::sink::{CompareSink, Expected};
use crate::protocol::{Failed, Range, Verified};

/// What to read back.
#[derive(Copy, Clone, Debug)]
pub(super) struct Check {
    pub(super) range: Range,
    /// Whether the blobs must be gone rather than there.
    pub(super) gone: bool,
}

/// Reads back a part of the range.
pub(super) fn run(
    session: &mut impl Session,
    check: Check,
    part: ops::Range<usize>,
    payloads: &Payloads,
) -> Verified {
    let Check { range, gone } = check;
    let mut verified = Verified::default();
    let mut memory = Vec::new();
    for at in part {
        let index = range.first + at as u64;
        let key = Key::new(range.population, index);
        let difference = if gone {
            see_gone(session, &key, &mut verified)
        } else {
            let id = payload_id(range.population, index);
            compare(session, &key, id, range.size, payloads, &mut memory, &mut verified)
        };
        verified.blobs += 1;
        if let Some(difference) = difference {
            verified.mismatch = Some(format!("blob {}: {difference}", key.as_str()));
            break;
        }
    }
    verified
}

fn compare(
    session: &mut impl Session,
    key: &Key,
    id: u64,
    size: u64,
    payloads: &Payloads,
    memory: &mut Vec<u8>,
    verified: &mut Verified,
) -> Option<String> {
    let expected = if Payloads::is_streamed(size) {
        payloads.prepare_stream_pool();
        Expected::Stream(payloads.stream(id, size))
    } else {
        // Not streamed, so it is below the size that memory holds.
        memory.resize(usize::try_from(size).unwrap_or(0), 0);
        payloads.fill(id, memory);
        Expected::Whole(memory)
    };
    let mut sink = CompareSink::new(expected);
    let read = session.get(key.as_bytes(), &mut sink);
    verified.bytes += sink.len;
    match read {
        Err(error) if error.class == ErrorClass::NotFound => {
            note_missing(key, verified);
            None
        }
        Err(error) => Some(note_error(&error, verified)),
        Ok(_) if sink.differs_at.is_some() => {
            Some(format!("other bytes than were put, from byte {} on", sink.differs_at?))
        }
        Ok(told) if told != size || sink.len != size => {
            Some(format!("{size} bytes were put, the engine says {told} and gave {}", sink.len))
        }
        Ok(_) => None,
    }
}

fn see_gone(session: &mut impl Session, key: &Key, verified: &mut Verified) -> Option<String> {
    let mut sink = CompareSink::new(Expected::Whole(&[]));
    match session.get(key.as_bytes(), &mut sink) {
        Ok(_) => {
            note_missing(key, verified);
            None
        }
        Err(error) if error.class == ErrorClass::NotFound => None,
        Err(error) => Some(note_error(&error, verified)),
    }
}

/// The blob is not as it should be; whether that is an error, the counts of failed operations tell.
fn note_missing(key: &Key, verified: &mut Verified) {
    verified.missing += 1;
    verified.first_missing.get_or_insert_with(|| key.as_str().into());
}

/// Reading failed, which is no wrong data.
fn note_error(error: &OpError, verified: &mut Verified) -> String {
    let Failed { class, message } = error.into();
    verified.class = Some(class);
    message
}

#[cfg(test)]
mod tests {
    use super::super::session::fake::{Act, HeldTicks, MapSession};
    use super::*;
    use stowmark_workload::PayloadKind;

    const RANGE: Range = Range { population: 2, first: 5, count: 4, size: 1_000 };

    fn payloads() -> Payloads {
        Payloads::new(&PayloadKind::Text, 1).unwrap()
    }

    fn key(index: u64) -> Vec<u8> {
        Key::new(RANGE.population, index).as_bytes().to_vec()
    }

    /// What reading back shows after the blobs were stored as they should be, and then changed.
    fn verify(gone: bool, change: impl FnOnce(&mut MapSession<'_>)) -> Verified {
        let clock = HeldTicks::default();
        let mut session = MapSession::new(&clock, []);
        for index in 5..9 {
            let mut blob = vec![0; 1_000];
            payloads().fill(payload_id(RANGE.population, index), &mut blob);
            session.blobs.insert(key(index), blob);
        }
        change(&mut session);
        run(&mut session, Check { range: RANGE, gone }, 0..4, &payloads())
    }

    fn check_mismatch(expected: &str, blobs: u64, change: impl FnOnce(&mut MapSession<'_>)) {
        let verified = verify(false, change);
        let message = verified.mismatch.unwrap();
        assert!(message.contains(expected), "{message}");
        assert_eq!(verified.blobs, blobs, "it ends with the first difference");
    }

    #[test]
    fn what_was_put_matches() {
        let expected = Verified { blobs: 4, bytes: 4_000, ..Verified::default() };
        assert_eq!(verify(false, |_| {}), expected);
    }

    #[test]
    fn a_part_is_read_by_its_own_client_alone() {
        let clock = HeldTicks::default();
        let mut session = MapSession::new(&clock, []);
        let check = Check { range: RANGE, gone: false };
        let verified = run(&mut session, check, 1..3, &payloads());
        assert_eq!((verified.blobs, verified.missing), (2, 2));
        assert_eq!(verified.first_missing.unwrap().as_bytes(), key(6));
    }

    #[test]
    fn one_other_byte_is_found_and_placed() {
        check_mismatch("from byte 700 on", 2, |session| {
            session.blobs.get_mut(&key(6)).unwrap()[700] ^= 1;
        });
    }

    #[test]
    fn another_blobs_bytes_are_not_a_match() {
        check_mismatch("other bytes than were put", 1, |session| {
            let other = session.blobs[&key(6)].clone();
            session.blobs.insert(key(5), other);
        });
    }

    #[test]
    fn a_shorter_or_longer_blob_is_not_a_match() {
        check_mismatch("1000 bytes were put, the engine says 999 and gave 999", 3, |session| {
            session.blobs.get_mut(&key(7)).unwrap().pop();
        });
        check_mismatch("1000 bytes were put, the engine says 1001 and gave 1001", 3, |session| {
            session.blobs.get_mut(&key(7)).unwrap().push(0);
        });
        check_mismatch("1000 bytes were put, the engine says 1001 and gave 1000", 1, |session| {
            session.acts = [Act { boast: 1, ..Act::default() }].into();
        });
    }

    #[test]
    fn a_missing_blob_is_counted_and_the_others_are_read() {
        let verified = verify(false, |session| {
            session.blobs.remove(&key(6));
            session.blobs.remove(&key(8));
        });
        assert_eq!((verified.blobs, verified.missing, verified.mismatch), (4, 2, None));
        assert_eq!(verified.first_missing.unwrap().as_bytes(), key(6));
    }

    #[test]
    fn an_error_other_than_not_found_is_told() {
        for gone in [false, true] {
            let error = Some(ErrorClass::Corrupt);
            let verified = verify(gone, |session| {
                session.acts = [Act { error, ..Act::default() }].into();
            });
            let message = verified.mismatch.unwrap();
            assert!(message.contains("as told"), "{message}");
            assert_eq!(verified.class.as_deref(), Some("corrupt"));
        }
    }

    #[test]
    fn what_was_deleted_must_be_gone() {
        let verified = verify(true, |session| session.blobs.clear());
        assert_eq!(verified, Verified { blobs: 4, ..Verified::default() });
        let verified = verify(true, |session| session.blobs.retain(|k, _| *k == key(7)));
        assert_eq!((verified.blobs, verified.missing, verified.mismatch), (4, 1, None));
        assert_eq!(verified.first_missing.unwrap().as_bytes(), key(7));
    }
}
