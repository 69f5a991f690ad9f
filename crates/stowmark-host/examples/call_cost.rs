//! What a call through the ABI costs: puts and gets of small blobs through an engine that does
//! nothing. Not a test, since its figures are the machine's.
//!
//! ```text
//! cargo build --release -p stowmark-null
//! cargo run --release -p stowmark-host --example call_cost -- target/release/libstowmark_null.so
//! ```

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use stowmark_host::{BlobSession, OpError, OpenSpec, Plugin, Sink, SliceSource, Tier, inspect};

/// How often each batch is timed: the fastest one counts, which other work disturbed least.
const BATCHES: u32 = 1000;
/// How many calls are timed at once, so that the clock's own cost is lost among them.
const CALLS: u32 = 10_000;

/// Takes bytes as the harness's own sink does: into a buffer that is used again.
struct Copy<'a>(&'a mut [u8]);

impl Sink for Copy<'_> {
    #[inline]
    fn write(&mut self, chunk: &[u8]) -> Result<(), OpError> {
        for part in chunk.chunks(self.0.len()) {
            self.0[..part.len()].copy_from_slice(part);
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: call_cost PLUGIN_FILE")?;
    let file = inspect(Path::new(&path))?;
    let engine_name = &file.manifest.engines[0].name;
    let options: Vec<_> = file.manifest.engines[0]
        .options
        .iter()
        .filter_map(|option| Some((option.name.clone(), option.default.clone()?)))
        .map(|(name, value)| (name, value.trim_end_matches("ns").to_owned()))
        .collect();
    let engine = Plugin::load(&file, None)?.engine(engine_name)?;
    let spec = OpenSpec { options: &options, tier: Tier::MEDIA, data_dir: Path::new(".") };
    let store = engine.open(&spec, Box::new(|_, _, _| ()))?;
    let mut session = store.blob_session(0)?;
    report("the loop alone", &mut session, |_| Ok(black_box(0)))?;
    report("put of 16 bytes", &mut session, |session| {
        session.put(black_box(b"key"), &mut SliceSource::new(black_box(&[7; 16])))
    })?;
    let mut buffer = [0; 64];
    report("get of 16 bytes", &mut session, |session| {
        session.get(black_box(b"key"), &mut Copy(black_box(&mut buffer)))
    })?;
    report("length", &mut session, |session| session.length(black_box(b"key")))?;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example that reports to its user")]
fn report(
    what: &str,
    session: &mut BlobSession,
    mut call: impl FnMut(&mut BlobSession) -> Result<u64, OpError>,
) -> Result<(), OpError> {
    let mut fastest = f64::INFINITY;
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(call(session)?);
        }
        fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
    }
    println!("{what:>16}: {fastest:5.1} ns");
    Ok(())
}
