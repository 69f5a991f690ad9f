//! The harness's loop of puts on redb, without harness, ABI and kit: what is left of the difference
//! to `stowmark run --engine redb` is what those cost.
//!
//! It does to redb what the engine does for blobs of one value: the same tables in a file of the same
//! kind, the engine's default cache, one write transaction a put. The clock goes round the loop of a
//! round and is not read inside. Keys (16 bytes, each new, in random order) and payloads (each
//! distinct) are made before it starts, and by another thread: a client's data comes from elsewhere.
//!
//! What a put costs also depends on what came before it, so that is alike too, and as untimed as it
//! is there: a quarter of a round to warm up; before each round 5 ms of rest and four puts over the
//! same four blobs; after each the store's dirty pages are written to the device.
//!
//! ```text
//! cargo run --release -p stowmark-redb --example direct -- --size 1k --ops 1000 --rounds 5 \
//!     --tier media --data-dir FOLDER --seed 1
//! stowmark run --engine redb --op put --size 1k --ops 1000 --rounds 5 --executions 1 \
//!     --durability media --data random --verify none --data-dir FOLDER --seed 1
//! ```
//!
//! `--data-dir` names a folder that exists; the database in it is made anew and stays. Standard
//! output gets one JSON object: `{"ns_per_op":[...]}`, nanoseconds an operation for each round.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use redb::{Database, Durability, TableDefinition};

const BLOBS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("blobs");
const CHUNKS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("chunks");
const CACHE_BYTES: usize = 1 << 30;
/// Above it, and at the length of a head, the engine cuts a blob, which this loop does not do.
const LARGEST_BYTES: usize = 512 << 10;
const HEAD_LEN: usize = 17;

/// The harness's numbers for kinds of blobs, which are the first digits of their keys.
const MEASURED: u64 = 0x0000 << 48;
const WARM_UP: u64 = 0x4000 << 48;
const SETTLING: u64 = 0xffff << 48;

const SETTLE: Duration = Duration::from_millis(5);
const SETTLE_OPS: u64 = 4;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let options = Options::read(env::args().skip(1))?;
    let store = Store::create(&options)?;
    let figures = thread::scope(|scope| {
        let client = Client::start(scope, &store);
        measure(&options, &store, &client)
    })?;
    store.database.close()?;
    #[expect(clippy::print_stdout, reason = "the result goes to standard output")]
    {
        println!("{{\"ns_per_op\":[{}]}}", figures.join(","));
    }
    Ok(())
}

/// Each round's figure as JSON.
fn measure(options: &Options, store: &Store, client: &Client) -> Result<Vec<String>, Failure> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut work = Work { size: options.size, ..Work::default() };
    let mut round = |first, ops| {
        thread::sleep(SETTLE);
        work.fill(&mut random, SETTLING, SETTLE_OPS);
        client.put_all(&mut work)?;
        work.fill(&mut random, first, ops);
        let elapsed = client.put_all(&mut work)?;
        store.sync()?;
        Ok::<_, Failure>(elapsed.as_nanos() as f64 / ops as f64)
    };
    round(WARM_UP, (options.ops / 4).max(1))?;
    let rounds = 0..options.rounds;
    let figures = rounds.map(|at| round(MEASURED + at * options.ops, options.ops));
    figures.map(|figure| Ok(figure?.to_string())).collect()
}

/// The thread that puts. It makes neither keys nor payloads, so it finds them in no cache of its own.
struct Client {
    todo: Sender<Work>,
    done: Receiver<(Work, Result<Duration, redb::Error>)>,
}

impl Client {
    fn start<'scope>(scope: &'scope Scope<'scope, '_>, store: &'scope Store) -> Self {
        let (todo, inbox) = channel::<Work>();
        let (outbox, done) = channel();
        scope.spawn(move || {
            for work in inbox {
                let start = Instant::now();
                let put = store.put_all(&work);
                let elapsed = start.elapsed();
                if outbox.send((work, put.map(|()| elapsed))).is_err() {
                    return;
                }
            }
        });
        Self { todo, done }
    }

    /// How long it took.
    fn put_all(&self, work: &mut Work) -> Result<Duration, Failure> {
        self.todo.send(mem::take(work))?;
        let (back, elapsed) = self.done.recv()?;
        *work = back;
        Ok(elapsed?)
    }
}

struct Store {
    database: Database,
    durability: Durability,
    /// Another handle on the database's file.
    file: File,
}

impl Store {
    fn create(options: &Options) -> Result<Self, Failure> {
        let path = options.data_dir.join("direct.redb");
        if path.exists() {
            fs::remove_file(&path)?;
        }
        let database = Self::database(&path)?;
        Ok(Self { database, durability: options.durability, file: File::open(path)? })
    }

    fn database(path: &Path) -> Result<Database, redb::Error> {
        let database = Database::builder().set_cache_size(CACHE_BYTES).create(path)?;
        let transaction = database.begin_write()?;
        transaction.open_table(BLOBS)?;
        transaction.open_table(CHUNKS)?;
        transaction.commit()?;
        Ok(database)
    }

    fn put_all(&self, work: &Work) -> Result<(), redb::Error> {
        work.blobs().try_for_each(|(key, payload)| self.put(key, payload))
    }

    #[inline]
    fn put(&self, key: &[u8], payload: &[u8]) -> Result<(), redb::Error> {
        let mut transaction = self.database.begin_write()?;
        transaction.set_durability(self.durability)?;
        transaction.open_table(BLOBS)?.insert(key, payload)?;
        Ok(transaction.commit()?)
    }

    fn sync(&self) -> Result<(), Failure> {
        Ok(self.file.sync_all()?)
    }
}

/// Keys and payloads in the order of their use, in memory that is used again.
#[derive(Default)]
struct Work {
    size: usize,
    keys: Vec<[u8; 16]>,
    payloads: Vec<u8>,
}

impl Work {
    /// The blobs from that number on, in disorder.
    fn fill(&mut self, random: &mut Xoshiro256PlusPlus, first: u64, count: u64) {
        self.keys.clear();
        self.keys.extend((first..first + count).map(key));
        for last in (1..self.keys.len()).rev() {
            // The remainder's bias is of no account: the order only has to be disorder.
            let other = random.next_u64() % (last as u64 + 1);
            self.keys.swap(last, other as usize);
        }
        self.payloads.resize(self.size * self.keys.len(), 0);
        random.fill_bytes(&mut self.payloads);
    }

    fn blobs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let payload = |at| &self.payloads[at * self.size..(at + 1) * self.size];
        self.keys.iter().enumerate().map(move |(at, key)| (key.as_slice(), payload(at)))
    }
}

/// The number as 16 lower-case hexadecimal digits, as the harness names blobs.
fn key(number: u64) -> [u8; 16] {
    std::array::from_fn(|digit| b"0123456789abcdef"[(number >> (60 - 4 * digit) & 15) as usize])
}

struct Options {
    size: usize,
    ops: u64,
    rounds: u64,
    durability: Durability,
    data_dir: PathBuf,
    seed: u64,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut options = Self {
            size: 1 << 10,
            ops: 1000,
            rounds: 5,
            durability: Durability::Immediate,
            data_dir: PathBuf::new(),
            seed: 1,
        };
        while let Some(flag) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--size" => options.size = size(&value)?,
                "--ops" => options.ops = value.parse()?,
                "--rounds" => options.rounds = value.parse()?,
                "--tier" => options.durability = durability(&value)?,
                "--data-dir" => options.data_dir = value.into(),
                "--seed" => options.seed = value.parse()?,
                _ => {
                    let known = "--size, --ops, --rounds, --tier, --data-dir, --seed";
                    return Err(format!("unknown flag {flag}; there are {known}").into());
                }
            }
        }
        if options.ops == 0 || !options.data_dir.is_dir() {
            return Err("--ops is at least 1, and --data-dir names a folder that exists".into());
        }
        Ok(options)
    }
}

/// A size as the harness reads it: k and M are powers of 1024.
fn size(text: &str) -> Result<usize, Failure> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M')) => (&text[..at], 1 << 20),
        _ => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| format!("--size is {text:?}, no size"))?;
    match number.checked_mul(unit) {
        Some(bytes) if bytes <= LARGEST_BYTES && bytes != HEAD_LEN => Ok(bytes),
        _ => Err("--size is at most 512k and not 17: the engine cuts other blobs".into()),
    }
}

fn durability(tier: &str) -> Result<Durability, Failure> {
    match tier {
        "acknowledged" => Ok(Durability::None),
        "media" => Ok(Durability::Immediate),
        _ => Err(format!("--tier is {tier:?}; there are acknowledged and media").into()),
    }
}
