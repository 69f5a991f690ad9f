//! What a run prints, leaves and records.

use crate::support::{Place, figures};

#[test]
fn a_run_prints_its_table_and_leaves_one_result_file() {
    let place = Place::new();
    let (outcome, result) = place.weigh("");
    assert_eq!(place.files(), ["result.json"]);
    assert!(outcome.stdout.ends_with("\nresult: result.json\n"), "{outcome}");
    assert_eq!(result.cases.len(), 2);
    assert_eq!(figures(&result, "put-1k", "redb").rounds.len(), 2);
}
