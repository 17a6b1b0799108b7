/** What a timeline tells of. */
export const timelineKinds = [
  "started",
  "engine",
  "phase",
  "call",
  "subagent",
  "breadcrumb",
  "task",
  "decision",
  "question",
  "answer",
  "user",
  "error",
  "complete",
  "remark",
  "compacted",
  "paused",
  "ended",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** Forms in which people read sessions elsewhere. */
export const exportFormats = ["markdown", "html"] as const;
export type ExportFormat = (typeof exportFormats)[number];
