//! The worker: the only process in which a plugin's code runs.
//!
//! One worker serves one engine for one execution. It reads orders from its standard input and
//! answers on its standard output, both taken away before any plugin is loaded: what a plugin
//! prints goes to standard error. It never outlives its supervisor.

mod batch;
mod client;
mod measure;
mod round;
mod session;
mod sink;
mod store;
mod trouble;
mod verify;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::sync::{Arc, Mutex};

use crate::platform;
use crate::protocol::{Answer, Failed, LogLine, Order};
use store::OpenStore;

/// The environment variable in which a supervisor tells its worker who started it.
pub(crate) const PARENT_VARIABLE: &str = "STOWMARK_SUPERVISOR_PID";

/// Where answers go, from any thread.
#[derive(Clone)]
struct Answers(Arc<Mutex<File>>);

impl Answers {
    fn send(&self, answer: &Answer) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(answer)?;
        line.push(b'\n');
        // A poisoned lock only means that another thread died between two whole lines.
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(&line)
    }

    fn log(&self, level: &str, target: &str, message: &str) {
        let line = LogLine { level: level.into(), target: target.into(), message: message.into() };
        // The supervisor is gone, and with it whoever would read the line.
        let _ = self.send(&Answer::Log(line));
    }
}

/// The worker's whole life; for a hidden subcommand of the harness. Returns the exit code, of which
/// nothing depends: success is the final record.
#[must_use]
pub fn worker_main() -> u8 {
    let parent = std::env::var(PARENT_VARIABLE).ok().and_then(|pid| pid.parse().ok());
    let Some(parent) = parent else { return 2 };
    if !platform::end_with_parent(parent) {
        return 2;
    }
    let Ok((output, input)) = platform::take_standard_streams() else { return 2 };
    let answers = Answers(Arc::new(Mutex::new(output.into())));
    serve(BufReader::new(File::from(input)), &answers)
}

/// Answers orders until the store was closed or the supervisor is gone.
fn serve(orders: impl BufRead, answers: &Answers) -> u8 {
    let mut store = None;
    for line in orders.lines() {
        let Ok(line) = line else { return 1 };
        let order = match serde_json::from_str(&line) {
            Ok(order) => order,
            Err(error) => {
                let failed = Failed {
                    class: "other".into(),
                    message: format!("an order cannot be read: {error}"),
                };
                if answers.send(&Answer::Failed(failed)).is_err() {
                    return 1;
                }
                continue;
            }
        };
        let closing = order == Order::Close;
        let answer = obey(order, &mut store, answers).unwrap_or_else(Answer::Failed);
        if answers.send(&answer).is_err() {
            return 1;
        }
        if closing && answer == Answer::Closed {
            return 0;
        }
    }
    1
}

fn obey(order: Order, store: &mut Option<OpenStore>, answers: &Answers) -> Result<Answer, Failed> {
    if let Order::Open(open) = order {
        let (opened_store, opened) = OpenStore::open(open, answers)?;
        *store = Some(opened_store);
        return Ok(Answer::Opened(opened));
    }
    if order == Order::Close {
        if let Some(store) = store.take() {
            store.close()?;
        }
        return Ok(Answer::Closed);
    }
    let Some(store) = store.as_mut() else {
        return Err(Failed { class: "other".into(), message: "no store is open".into() });
    };
    Ok(match order {
        Order::Case => {
            platform::reset_peak_rss();
            Answer::Ready
        }
        Order::Work(work) => Answer::Worked(store.work(&work, answers)?),
        Order::Preload(range) => Answer::Worked(store.preload(range, answers)?),
        Order::Verify(verify) => Answer::Verified(store.verify(verify, answers)?),
        Order::Storage => Answer::Stored(store.storage()?),
        Order::Open(_) | Order::Close => unreachable!("answered above"),
    })
}
