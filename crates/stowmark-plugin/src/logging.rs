//! The plugin's log lines on their way to the host. Each library has its own `log` and `tracing`
//! statics, so the kit installs a logger here; `tracing` hands its events to `log` while no
//! subscriber is set.

use std::sync::RwLock;

use stowmark_abi as abi;

/// Where lines go: the sink of the store that was opened last.
static SINK: RwLock<Option<abi::LogSinkBox>> = RwLock::new(None);

struct Bridge;

impl log::Log for Bridge {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &log::Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let level = match record.level() {
            log::Level::Error => abi::LogLevel::ERROR,
            log::Level::Warn => abi::LogLevel::WARN,
            log::Level::Info => abi::LogLevel::INFO,
            log::Level::Debug => abi::LogLevel::DEBUG,
            log::Level::Trace => abi::LogLevel::TRACE,
        };
        if let Ok(sink) = SINK.read()
            && let Some(sink) = sink.as_ref()
        {
            sink.log(level, record.target().into(), record.args().to_string().as_str().into());
        }
    }

    fn flush(&self) {}
}

/// Sends lines to this sink from now on. Lines below `info` are not made at all: an engine's own
/// chatter must not be what is measured.
pub(crate) fn install(sink: abi::LogSinkBox) {
    if let Ok(mut slot) = SINK.write() {
        *slot = Some(sink);
    }
    // An author's own logger stays: the first one set in a library wins.
    if log::set_logger(&Bridge).is_ok() {
        log::set_max_level(log::LevelFilter::Info);
    }
}
