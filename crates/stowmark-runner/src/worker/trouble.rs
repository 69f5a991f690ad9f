//! The first failure of a store. A database that met a full disk says from then on that it met
//! something: what fails later may only follow from what failed first, be it in operations that
//! count nowhere.

use crate::protocol::{Failed, Worked};

/// The first failed operation since the store was opened.
#[derive(Default)]
pub(super) struct FirstFailure(Option<Failed>);

impl FirstFailure {
    /// Takes a failure in, if it is the first.
    pub(super) fn note(&mut self, failed: Option<&Failed>) {
        if self.0.is_none() {
            self.0 = failed.cloned();
        }
    }

    /// Names the first failure as the cause where nothing went well any more.
    pub(super) fn explain(&mut self, worked: &mut Worked) {
        self.note(worked.first_error.as_ref());
        if worked.ops > 0 {
            return;
        }
        let (Some(first), Some(now)) = (&self.0, &mut worked.first_error) else { return };
        if first.class != now.class {
            now.message = format!("{}; then {}", first.message, now.message);
            now.class.clone_from(&first.class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(class: &str, message: &str) -> Failed {
        Failed { class: class.into(), message: message.into() }
    }

    fn worked(ops: u64, failed: Failed) -> Worked {
        Worked { ops, first_error: Some(failed), ..Worked::default() }
    }

    #[test]
    fn what_failed_first_is_the_cause_of_what_fails_for_good() {
        let mut failures = FirstFailure::default();
        failures.note(None);
        failures.note(Some(&failed("full", "put a: no space")));
        let mut work = worked(0, failed("unavailable", "put b: an error before"));
        failures.explain(&mut work);
        let expected = failed("full", "put a: no space; then put b: an error before");
        assert_eq!(work.first_error, Some(expected));
    }

    #[test]
    fn of_failures_of_one_class_the_later_speaks_for_itself() {
        let mut failures = FirstFailure::default();
        failures.note(Some(&failed("full", "put a: no space")));
        let mut work = worked(0, failed("full", "put b: no space"));
        failures.explain(&mut work);
        assert_eq!(work.first_error, Some(failed("full", "put b: no space")));
    }

    #[test]
    fn a_round_that_went_on_keeps_its_own() {
        let mut failures = FirstFailure::default();
        failures.note(Some(&failed("transient", "put a: try again")));
        let mut work = worked(3, failed("corrupt", "put b: damaged"));
        failures.explain(&mut work);
        assert_eq!(work.first_error, Some(failed("corrupt", "put b: damaged")));
    }
}
