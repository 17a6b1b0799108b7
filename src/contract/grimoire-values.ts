/** How a run's work becomes part of its target: as a merge of both, or as one commit on top of the target. */
export const mergeStrategies = ["merge", "squash"] as const;
export type MergeStrategy = (typeof mergeStrategies)[number];
/** When a step does not say, as in runs of before there was a choice. */
export const defaultMergeStrategy: MergeStrategy = "merge";

export const shells = ["sh", "bash"] as const;
export type Shell = (typeof shells)[number];
