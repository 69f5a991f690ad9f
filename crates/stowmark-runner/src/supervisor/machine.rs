//! What the machine is, as far as it tells.

use std::fs;
use std::path::Path;

use procfs::Current;
use stowmark_results::{Machine, Storage};

/// The machine without its storage.
pub(crate) fn facts() -> Machine {
    let cpu = procfs::CpuInfo::current().ok();
    let memory = procfs::Meminfo::current().ok();
    let field = |name: &str| cpu.as_ref().and_then(|cpu| cpu.get_field(0, name).map(String::from));
    Machine {
        os: os_name(),
        kernel: read("/proc/sys/kernel/osrelease"),
        arch: Some(std::env::consts::ARCH.into()),
        cpu_model: field("model name"),
        cores: std::thread::available_parallelism().ok().map(|cores| cores.get() as u64),
        memory_bytes: memory.as_ref().map(|memory| memory.mem_total),
        swap_bytes: memory.as_ref().map(|memory| memory.swap_total),
        swap_used_bytes: memory
            .as_ref()
            .map(|memory| memory.swap_total.saturating_sub(memory.swap_free)),
        governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        virtualised: field("flags").map(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
        ..Machine::default()
    }
}

fn os_name() -> Option<String> {
    let text = fs::read_to_string("/etc/os-release").ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').into())
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().into()).filter(|text: &String| !text.is_empty())
}

/// The file system and device below a folder.
pub(crate) fn storage(folder: &Path) -> Storage {
    let mut storage =
        Storage { data_dir: Some(folder.display().to_string()), ..Storage::default() };
    if let Ok(facts) = rustix::fs::statvfs(folder) {
        storage.total_bytes = Some(facts.f_blocks * facts.f_frsize);
        storage.free_bytes = Some(facts.f_bavail * facts.f_frsize);
    }
    if let Some(mount) = mount_of(folder) {
        storage.volatile = is_volatile(&mount);
        storage.file_system = Some(mount.fs_type.clone());
        storage.mount_point = Some(mount.mount_point.display().to_string());
        let options = mount.mount_options.iter().chain(&mount.super_options);
        let mut options: Vec<_> = options
            .map(|(key, value)| match value {
                Some(value) => format!("{key}={value}"),
                None => key.clone(),
            })
            .collect();
        options.sort_unstable();
        options.dedup();
        storage.mount_options = Some(options.join(","));
    }
    if let Some(block) = block_folder(folder) {
        storage.device = block
            .canonicalize()
            .ok()
            .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        storage.device_write_cache = queue(&block, "write_cache");
        storage.rotational = queue(&block, "rotational").map(|text| text == "1");
    }
    storage
}

/// The mount with the longest mount point above the folder.
fn mount_of(folder: &Path) -> Option<procfs::process::MountInfo> {
    let folder = folder.canonicalize().ok()?;
    let mounts = procfs::process::Process::myself().ok()?.mountinfo().ok()?;
    // Of two mounts at one place the later hides the earlier: max_by_key takes the last.
    mounts
        .into_iter()
        .filter(|mount| folder.starts_with(&mount.mount_point))
        .max_by_key(|mount| mount.mount_point.as_os_str().len())
}

/// Whether power loss empties it.
fn is_volatile(mount: &procfs::process::MountInfo) -> bool {
    matches!(mount.fs_type.as_str(), "tmpfs" | "ramfs" | "devtmpfs")
        || (mount.fs_type == "overlay" && mount.super_options.contains_key("volatile"))
}

/// The kernel's folder about the block device below a folder.
pub(crate) fn block_folder(folder: &Path) -> Option<std::path::PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let device = folder.metadata().ok()?.dev();
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let path = Path::new("/sys/dev/block").join(format!("{major}:{minor}"));
    path.exists().then_some(path)
}

/// A fact of the device's queue; a partition has its disk's.
fn queue(block: &Path, name: &str) -> Option<String> {
    let own = read(block.join("queue").join(name));
    own.or_else(|| read(block.join("..").join("queue").join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_and_its_storage_say_who_they_are() {
        let facts = facts();
        assert!(facts.kernel.is_some() && facts.cores >= Some(1) && facts.memory_bytes > Some(0));
        let folder = tempfile::tempdir().unwrap();
        let storage = storage(folder.path());
        assert!(storage.file_system.is_some());
        assert!(storage.total_bytes >= storage.free_bytes);
    }

    #[test]
    fn shared_memory_is_known_to_be_volatile() {
        let folder = Path::new("/dev/shm");
        if mount_of(folder).is_some_and(|mount| mount.fs_type == "tmpfs") {
            assert!(storage(folder).volatile);
        }
        assert!(!storage(Path::new("/sys")).volatile);
    }
}
