//! What a search path holds.

use std::fs;
use std::path::{Path, PathBuf};

use stowmark_host::{Catalog, InspectError};

use crate::support::{changed, library};

/// A folder with these plugins, copied under names of their own.
fn folder(plugins: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (plugin, name) in plugins {
        let name = format!("libstowmark_{name}.so");
        fs::copy(library(plugin), folder.path().join(name)).unwrap();
    }
    folder
}

fn scan(folders: &[&Path]) -> Catalog {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| (*folder).into()).collect();
    Catalog::scan(&folders)
}

#[test]
fn all_plugins_of_all_folders_are_found_and_other_files_are_not() {
    let (one, two) = (folder(&[("null", "null")]), folder(&[("memory", "m")]));
    fs::write(one.path().join("libother.so"), "").unwrap();
    fs::write(one.path().join("README"), "").unwrap();
    let catalog = scan(&[one.path(), Path::new("/no/such/folder"), two.path()]);
    assert_eq!(catalog.engine_names(), ["memory", "null"]);
    assert!(catalog.unreadable().is_empty(), "{:?}", catalog.unreadable());
    let (plugin, engine) = catalog.find("memory").unwrap();
    assert_eq!((plugin.manifest.name.as_str(), engine.models.len()), ("memory", 2));
    assert!(catalog.find("nul").is_none());
}

#[test]
fn the_first_in_search_order_is_taken_and_the_others_are_shadowed() {
    let (one, two) = (folder(&[("null", "b"), ("null", "a")]), folder(&[("null", "0")]));
    let catalog = scan(&[one.path(), two.path()]);
    let taken = one.path().join("libstowmark_a.so");
    assert_eq!(catalog.find("null").unwrap().0.path, taken);
    assert_eq!(catalog.engines().count(), 1);
    let hidden: Vec<_> = catalog
        .shadowed()
        .into_iter()
        .map(|shadowed| {
            assert_eq!((shadowed.engine, &shadowed.taken.path), ("null", &taken));
            shadowed.hidden.path.clone()
        })
        .collect();
    let expected = [one.path().join("libstowmark_b.so"), two.path().join("libstowmark_0.so")];
    assert_eq!(hidden, expected);
}

#[cfg(unix)]
#[test]
fn a_file_with_several_names_counts_once() {
    let folder = folder(&[("null", "a")]);
    let named = |name: &str| folder.path().join(format!("libstowmark_{name}.so"));
    fs::hard_link(named("a"), named("b")).unwrap();
    std::os::unix::fs::symlink(named("a"), named("c")).unwrap();
    let catalog = scan(&[folder.path(), folder.path()]);
    assert_eq!(catalog.plugins().len(), 1);
    assert!(catalog.shadowed().is_empty());
}

#[cfg(unix)]
#[test]
fn what_cannot_be_used_is_listed_with_its_reason_and_hides_nothing() {
    let folder = folder(&[("null", "null")]);
    let named = |name: &str| folder.path().join(format!("libstowmark_{name}.so"));
    fs::write(named("a"), "text").unwrap();
    std::os::unix::fs::symlink("nowhere", named("b")).unwrap();
    changed(&library("memory"), &named("c"), |bytes| bytes.truncate(1000));
    let catalog = scan(&[folder.path()]);
    assert_eq!(catalog.engine_names(), ["null"]);
    let reasons: Vec<_> = catalog.unreadable().iter().map(|(path, error)| (path, error)).collect();
    assert!(matches!(
        reasons[..],
        [
            (_, InspectError::NotALibrary { .. }),
            (_, InspectError::NotReadable { .. }),
            (_, InspectError::Truncated { .. }),
        ]
    ));
    assert_eq!(reasons[2].0, &named("c"));
}
