//! The measurement: plan, supervisor, worker, clocks and histograms. It emits events and never prints.
