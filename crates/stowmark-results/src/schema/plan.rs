//! The plan in the result file: what was to be done, with the published figures beside it.

use serde::{Deserialize, Serialize};

use super::Extra;

/// The validated plan of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    /// The suite's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// The suite's file, where it is the user's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite_file: Option<String>,
    /// What the suite measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The published benchmark that it follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// Whether it ran as published.
    pub published: bool,
    /// `blobs` or `records`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The operations, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<String>,
    /// The blob sizes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes_bytes: Vec<u64>,
    /// The kind of payload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// `random` or `sequential`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_order: Option<String>,
    /// Executions for each engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
    /// Rounds for each case and execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Operations a round where fixed; absent where found in warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops_per_round: Option<u64>,
    /// Sessions at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clients: Option<u64>,
    /// The family-wise confidence of all verdicts of one clock, such as 0.99.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The label that others are compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// `strongest`, `default` or a tier's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub durability: Option<String>,
    /// `interleaved` or `sequential`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// `full` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// After which a silent worker is ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ns: Option<u64>,
    /// What to know about the published figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_note: Option<String>,
    /// The published figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub published_figures: Vec<PublishedFigure>,
    /// The published comparisons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub published_differences: Vec<PublishedDifference>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One published mean.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishedFigure {
    /// The operation.
    pub op: String,
    /// The blob's size as the publication names it.
    pub size_bytes: u64,
    /// `cpu-client` or `wall`.
    pub clock: String,
    /// The engine.
    pub engine: String,
    /// The mean in seconds.
    pub mean_s: f64,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One published comparison.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishedDifference {
    /// The operation.
    pub op: String,
    /// The blob's size as the publication names it.
    pub size_bytes: u64,
    /// `cpu-client` or `wall`.
    pub clock: String,
    /// The engine that is compared.
    pub engine: String,
    /// The engine that it is compared with.
    pub baseline: String,
    /// The difference of the means in percent of the baseline's.
    pub percent: f64,
    /// Half the width of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plus_minus_percent: Option<f64>,
    /// The interval's level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence_percent: Option<f64>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}
