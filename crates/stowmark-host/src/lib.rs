//! Finds, inspects and loads Stowmark plugins; owns every loading error.
