/** What an agent may note itself. */
export const noteKinds = ["note", "decision", "result", "handoff", "gate"] as const;
export type NoteKind = (typeof noteKinds)[number];

/** `round`: one exchange of an engine with a model. */
export const breadcrumbKinds = ["round", ...noteKinds] as const;

/** The most that a breadcrumb may have: characters of a text and of a line, tools, files, subagents below each other. */
export const breadcrumbLimits = { text: 20_000, line: 500, tools: 500, files: 1000, depth: 99 } as const;
