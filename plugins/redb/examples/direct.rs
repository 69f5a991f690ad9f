//! The harness's loop of puts on redb, without harness, ABI and kit: what is left of the difference
//! to `stowmark run --engine redb` is what those cost.
//!
//! It does to redb what the engine does for blobs of one value: the same tables in a file of the same
//! kind, the engine's default cache, one write transaction a put. Keys (16 bytes, each new, in random
//! order) and payloads (each distinct) are made before the clock starts; the clock goes round the
//! loop of a round and is not read inside.
//!
//! ```text
//! cargo run --release -p stowmark-redb --example direct -- --size 1k --ops 1000 --rounds 5 \
//!     --tier media --data-dir FOLDER --seed 1
//! ```
//!
//! `--data-dir` names a folder that exists; the database in it is made anew and stays. Standard
//! output gets one JSON object: `{"ns_per_op":[...]}`, nanoseconds an operation for each round.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use redb::{Database, Durability, TableDefinition};

const BLOBS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("blobs");
const CHUNKS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("chunks");
const CACHE_BYTES: usize = 1 << 30;
/// Above it, and at the length of a head, the engine cuts a blob, which this loop does not do.
const LARGEST_BYTES: usize = 512 << 10;
const HEAD_LEN: usize = 17;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let options = Options::read(env::args().skip(1))?;
    let database = create(&options)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut figures = Vec::new();
    for round in 0..options.rounds {
        let work = make_work(&options, round, &mut random);
        let start = Instant::now();
        for (key, payload) in &work {
            put(&database, options.durability, key, payload)?;
        }
        let elapsed = start.elapsed();
        figures.push((elapsed.as_nanos() as f64 / options.ops as f64).to_string());
    }
    database.close()?;
    #[expect(clippy::print_stdout, reason = "the result goes to standard output")]
    {
        println!("{{\"ns_per_op\":[{}]}}", figures.join(","));
    }
    Ok(())
}

#[inline]
fn put(
    database: &Database,
    durability: Durability,
    key: &[u8],
    payload: &[u8],
) -> Result<(), redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_durability(durability)?;
    transaction.open_table(BLOBS)?.insert(key, payload)?;
    Ok(transaction.commit()?)
}

fn create(options: &Options) -> Result<Database, Failure> {
    let path = options.data_dir.join("direct.redb");
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    let database = Database::builder().set_cache_size(CACHE_BYTES).create(path)?;
    let transaction = database.begin_write()?;
    transaction.open_table(BLOBS)?;
    transaction.open_table(CHUNKS)?;
    transaction.commit()?;
    Ok(database)
}

type Work = Vec<([u8; 16], Vec<u8>)>;

/// A round's keys and payloads, in the order of their use.
fn make_work(options: &Options, round: u64, random: &mut Xoshiro256PlusPlus) -> Work {
    let first = round * options.ops;
    let mut work: Work = (first..first + options.ops)
        .map(|index| {
            let mut payload = vec![0; options.size];
            random.fill_bytes(&mut payload);
            (key(index), payload)
        })
        .collect();
    for last in (1..work.len()).rev() {
        // The remainder's bias is of no account: the order only has to be disorder.
        let other = random.next_u64() % (last as u64 + 1);
        work.swap(last, other as usize);
    }
    work
}

/// The index as 16 lower-case hexadecimal digits, as the harness names blobs.
fn key(index: u64) -> [u8; 16] {
    std::array::from_fn(|digit| b"0123456789abcdef"[(index >> (60 - 4 * digit) & 15) as usize])
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
