//! Blobs across the border, and everything that may go wrong on either side of it.

use std::sync::mpsc;

use stowmark_host::{BlobSession, ErrorClass, LogLevel, OpError, Sink, SliceSource, Source, Store};

use crate::support::{changed, library, load, open, open_library};

/// A source that gives its bytes in steps and has no piece as a whole.
struct Steps<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Source for Steps<'_> {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn next(&mut self, max: usize) -> Result<&[u8], OpError> {
        let (chunk, rest) = self.bytes.split_at(self.bytes.len().min(self.step).min(max));
        self.bytes = rest;
        Ok(chunk)
    }
}

fn put(session: &mut BlobSession, key: &[u8], bytes: &[u8]) -> Result<u64, OpError> {
    session.put(key, &mut SliceSource::new(bytes))
}

fn get(session: &mut BlobSession, key: &[u8]) -> Result<Vec<u8>, OpError> {
    let mut bytes = Vec::new();
    let len = session.get(key, &mut bytes)?;
    assert_eq!(len, bytes.len() as u64);
    Ok(bytes)
}

/// Whatever a store of blobs must do at the least.
pub(crate) fn check_round_trip(store: &Store) {
    let mut session = store.blob_session(0).unwrap();
    assert_eq!(put(&mut session, b"k\0", b"value").unwrap(), 5);
    assert_eq!(get(&mut session, b"k\0").unwrap(), b"value");
    let error = get(&mut session, b"absent").unwrap_err();
    assert_eq!(error.class, ErrorClass::NotFound);
    assert!(error.message.contains("absent"), "{error}");
}

#[test]
fn a_blob_comes_back_as_it_was_put_whole_or_in_steps() {
    let store = open("memory", &[]);
    check_round_trip(&store);
    let mut session = store.blob_session(1).unwrap();
    let long: Vec<u8> =
        (0..3_000_000_u32).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
    put(&mut session, b"whole", &long).unwrap();
    assert!(get(&mut session, b"whole").unwrap() == long);
    session.put(b"steps", &mut Steps { bytes: &long, step: 70_001 }).unwrap();
    assert!(get(&mut session, b"steps").unwrap() == long);
    put(&mut session, b"empty", b"").unwrap();
    assert_eq!(get(&mut session, b"empty").unwrap(), b"");

    let mut part = Vec::new();
    assert_eq!(session.get_range(b"steps", 2_999_990, 100, &mut part).unwrap(), 10);
    assert_eq!(part, &long[2_999_990..]);
    assert_eq!(session.length(b"whole").unwrap(), 3_000_000);
    session.delete(b"whole").unwrap();
    assert_eq!(session.delete(b"whole").unwrap_err().class, ErrorClass::NotFound);
}

#[test]
fn sessions_of_several_clients_work_at_once_on_one_store() {
    let store = open("memory", &[]);
    std::thread::scope(|scope| {
        for client in 0..4_u32 {
            let mut session = store.blob_session(client).unwrap();
            scope.spawn(move || {
                for n in 0..200_u32 {
                    let key = [client.to_be_bytes(), n.to_be_bytes()].concat();
                    put(&mut session, &key, &key).unwrap();
                    assert_eq!(get(&mut session, &key).unwrap(), key);
                }
            });
        }
    });
    let stats = store.stats().unwrap();
    assert!(stats.contains(&("blobs".into(), 800)), "{stats:?}");
}

#[test]
fn a_store_answers_for_itself() {
    let store = open("memory", &[]);
    let settings = store.settings().unwrap();
    assert!(settings.iter().any(|(name, _)| name == "engine.version"), "{settings:?}");
    assert_eq!(store.server_pid(), None);
    store.drain().unwrap();
    store.compact().unwrap();
    assert_eq!(store.sync().unwrap_err().class, ErrorClass::Unsupported);
    store.close().unwrap();
    let blobs_only = open("null", &[]);
    assert_eq!(blobs_only.record_session(0).err().unwrap().class, ErrorClass::Unsupported);
}

#[test]
fn a_tier_or_an_option_that_the_engine_refuses_is_an_error() {
    let (_, plugin) = load(&library("faults"));
    let engine = plugin.engine("faults").unwrap();
    let open = |fault: &str, tier| {
        let options = [("fault".into(), fault.into()), ("after".into(), "0".into())];
        let data_dir = "unused".as_ref();
        let spec = stowmark_host::OpenSpec { options: &options, tier, data_dir };
        engine.open(&spec, Box::new(|_, _, _| ())).err().unwrap().class
    };
    assert_eq!(open("none", stowmark_host::Tier::MEDIA), ErrorClass::Unsupported);
    assert_eq!(open("odd", stowmark_host::Tier::ACKNOWLEDGED), ErrorClass::InvalidOption);
}

/// A callback that refuses, or panics, in one of its methods.
struct Bad {
    panics_in: &'static str,
    bytes: Vec<u8>,
}

impl Bad {
    fn reach(&self, method: &str) -> Result<(), OpError> {
        assert!(self.panics_in != method, "boom in {method}");
        Ok(())
    }

    fn new(panics_in: &'static str) -> Self {
        Self { panics_in, bytes: vec![7; 10] }
    }
}

impl Source for Bad {
    fn len(&self) -> u64 {
        self.reach("len").unwrap();
        10
    }

    fn next(&mut self, _max: usize) -> Result<&[u8], OpError> {
        self.reach("next")?;
        Err(OpError { class: ErrorClass::Full, code: 28, message: "no more bytes".into() })
    }

    fn contiguous(&self) -> Option<&[u8]> {
        self.reach("contiguous").unwrap();
        None
    }
}

impl Sink for Bad {
    fn write(&mut self, chunk: &[u8]) -> Result<(), OpError> {
        self.reach("write")?;
        assert!(!chunk.is_empty() && !self.bytes.is_empty());
        Err(OpError::new(ErrorClass::Denied, "enough"))
    }
}

#[test]
fn a_panic_of_the_host_s_own_callbacks_is_caught_and_told_from_the_plugin_s() {
    let store = open("memory", &[]);
    let mut session = store.blob_session(0).unwrap();
    put(&mut session, b"k", b"whole").unwrap();
    for method in ["len", "next", "contiguous"] {
        let error = session.put(b"k", &mut Bad::new(method)).unwrap_err();
        assert_eq!(error.class, ErrorClass::HostPanicked, "{error}");
        assert!(error.message.contains(&format!("boom in {method}")), "{error}");
    }
    let error = session.get(b"k", &mut Bad::new("write")).unwrap_err();
    assert_eq!(error.class, ErrorClass::HostPanicked, "{error}");
    assert_eq!(get(&mut session, b"k").unwrap(), b"whole", "the session stays usable");
}

#[test]
fn an_error_of_the_host_s_own_callbacks_comes_back_with_class_and_code() {
    let store = open("memory", &[]);
    let mut session = store.blob_session(0).unwrap();
    let error = session.put(b"k", &mut Bad::new("")).unwrap_err();
    assert_eq!((error.class, error.code), (ErrorClass::Full, 28));
    assert_eq!(error.to_string(), "full: no more bytes (code 28)");
    put(&mut session, b"k", b"whole").unwrap();
    let error = session.get(b"k", &mut Bad::new("")).unwrap_err();
    assert_eq!(error, OpError::new(ErrorClass::Denied, "enough"));
}

#[test]
fn a_panic_in_the_plugin_is_an_error_and_the_process_lives() {
    let store = open("faults", &[("fault", "panic"), ("after", "1")]);
    let mut session = store.blob_session(0).unwrap();
    put(&mut session, b"k", b"v").unwrap();
    let error = get(&mut session, b"k").unwrap_err();
    assert_eq!(error.class, ErrorClass::Panicked);
    assert!(error.message.contains("get") && error.message.contains("as asked"), "{error}");
    drop(session);
    store.close().unwrap();
}

#[test]
fn a_panic_on_a_plugin_s_own_thread_leaves_the_process_alive() {
    let store = open("faults", &[("fault", "panic-thread")]);
    let mut session = store.blob_session(0).unwrap();
    put(&mut session, b"k", b"v").unwrap();
    assert_eq!(get(&mut session, b"k").unwrap(), b"v");
}

/// The sink belongs to a library, so each of these tests loads a copy of its own.
fn lines_of_a_panic_in_drop(log: stowmark_host::LogSink) {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("faults"), &folder.path().join("libstowmark_faults.so"), |_| ());
    let store = open_library(&path, &[("fault", "panic-drop")], log);
    let mut session = store.blob_session(0).unwrap();
    put(&mut session, b"k", b"v").unwrap();
    drop(session);
    store.close().unwrap();
}

#[test]
fn a_panic_in_a_drop_is_caught_and_its_log_line_reaches_the_host() {
    let (sender, lines) = mpsc::channel();
    lines_of_a_panic_in_drop(Box::new(move |level, target, line| {
        let _ = sender.send((level, target.to_owned(), line.to_owned()));
    }));
    let (level, target, text) = lines.try_recv().unwrap();
    assert_eq!(level, LogLevel::Error);
    assert!(target.starts_with("stowmark_plugin"), "{target}");
    assert!(text.contains("drop of the blob session") && text.contains("as asked"), "{text}");
}

#[test]
fn a_log_sink_that_panics_disturbs_nobody() {
    lines_of_a_panic_in_drop(Box::new(|_, _, _| panic!("a log sink's own panic")));
}
