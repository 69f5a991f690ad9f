//! Reading back what was stored, outside of any clock, and comparing it byte for byte.

use std::ops;

use stowmark_host::ErrorClass;
use stowmark_workload::{Key, Payloads};

use super::batch::payload_id;
use super::session::Session;
use super::sink::{CompareSink, Expected};
use crate::protocol::{Range, Verified};

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
        Err(error) => Some(error.to_string()),
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
        Err(error) => Some(error.to_string()),
    }
}

/// The blob is not as it should be; whether that is an error, the counts of failed operations tell.
fn note_missing(key: &Key, verified: &mut Verified) {
    verified.missing += 1;
    verified.first_missing.get_or_insert_with(|| key.as_str().into());
}
