//! Every plugin's folder has the same few files, so that who has read one knows where to look in all.

use super::{File, Problem};
use crate::workspace::Workspace;

/// `src/error.rs` joins them where a client library has errors to translate.
const FILES: [&str; 5] = ["Cargo.toml", "README.md", "src/lib.rs", "src/config.rs", "src/store.rs"];

pub(super) fn folders(workspace: &Workspace, files: &[File]) -> Vec<Problem> {
    let plugins = workspace.plugins.iter();
    plugins.flat_map(|plugin| folder(&plugin.folder, &plugin.package, files)).collect()
}

fn folder(name: &str, package: &str, files: &[File]) -> Vec<Problem> {
    let place = format!("plugins/{name}");
    let own: Vec<_> = files
        .iter()
        .filter_map(|f| Some((f.path.strip_prefix(&place)?.strip_prefix('/')?, f)))
        .collect();
    let mut problems = Vec::new();
    for wanted in FILES {
        if !own.iter().any(|(path, _)| *path == wanted) {
            problems.push(Problem::error(&place, format!("lacks {wanted}")));
        }
    }
    if !own.iter().any(|(path, file)| path.ends_with(".rs") && file.text.contains("#[test]")) {
        problems.push(Problem::error(&place, "has no tests"));
    }
    if package != format!("stowmark-{name}") {
        let text = format!("its package is {package}, not stowmark-{name}");
        problems.push(Problem::error(&place, text));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(folder: &str) -> Vec<File> {
        let paths = FILES.iter().map(|path| format!("plugins/{folder}/{path}"));
        let text = "#[test]\nfn it_stores() {}\n";
        paths.map(|path| File { path, text: text.to_owned() }).collect()
    }

    #[test]
    fn a_whole_folder_has_no_problem_and_another_s_files_do_not_count() {
        assert_eq!(folder("redb", "stowmark-redb", &whole("redb")), []);
        let problems = folder("redb", "stowmark-redb", &whole("redb2"));
        assert_eq!(problems.len(), FILES.len() + 1, "{problems:?}");
    }

    #[test]
    fn a_missing_file_missing_tests_and_an_odd_name_are_told_apart() {
        let mut files = whole("redb");
        files.remove(1);
        files.iter_mut().for_each(|file| file.text.clear());
        let texts: Vec<_> =
            folder("redb", "redb-plugin", &files).into_iter().map(|problem| problem.text).collect();
        let name = "its package is redb-plugin, not stowmark-redb";
        assert_eq!(texts, ["lacks README.md", "has no tests", name]);
    }
}
