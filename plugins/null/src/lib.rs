//! The engine null: stores nothing, so that the harness can weigh itself.
