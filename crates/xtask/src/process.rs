//! Running other programs: with our streams, or captured, and always with a message that names the
//! whole command when it fails.

use std::process::{Command, Stdio};

use crate::failure::Failure;

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Runs it on our own streams, so that it speaks for itself; its exit code becomes ours.
pub(crate) fn pass(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(not_started(command))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Passed { command: shown(command), status })
}

/// Runs it without input and gives its standard output; its standard error is shown if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.stdin(Stdio::null()).output().map_err(not_started(command))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Ended { command: shown(command), status: output.status, stderr });
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::Unreadable {
        what: format!("the output of `{}`", shown(command)),
        why: "it is not UTF-8".into(),
    })
}

/// Whether it can be started and succeeds; silent.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Whether a program of that name is on the PATH.
pub(crate) fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// For `map_err` where a command is started.
pub(crate) fn not_started(command: &Command) -> impl FnOnce(std::io::Error) -> Failure {
    let command = shown(command);
    move |source| Failure::Start { command, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = Command::new("stowmark");
        command.args(["run", "--engine", "big=redb:cache=1GiB", "two words", ""]);
        assert_eq!(shown(&command), "stowmark run --engine big=redb:cache=1GiB 'two words' ''");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failure = output(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(failure.to_string().contains("`no-such-program-here`"), "{failure}");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_failing_program_said_is_kept() {
        let failure = output(Command::new("sh").args(["-c", "echo why >&2; exit 7"])).unwrap_err();
        assert!(failure.to_string().contains("why"), "{failure}");
    }
}
