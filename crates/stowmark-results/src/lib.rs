//! The result file: its schema, machine facts as data, and the statistics that decide.
