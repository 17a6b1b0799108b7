/** The session record as it crosses a border: what `session.md` says, as data. */

/** Ids become paths, so they are these letters and nothing else. */
export const sessionIdPattern = /^[a-z0-9][a-z0-9-]{0,127}$/;
/** Ids of what waits for a person. */
export const questionIdPattern = /^q-[a-z0-9]{4,32}$/;

/** `NAME` or `NAME@VERSION`, and a channel, as a heading can hold them. */
export const agentPattern = /^[^\s\p{Cc}@#()[\]]+(?:@[^\s\p{Cc}@#()[\]]+)?$/u;
export const channelPattern = /^[^\s\p{Cc}#@]+$/u;

export const statuses = ["active", "paused", "completed", "failed", "abandoned"] as const;
export type Status = (typeof statuses)[number];

/** The statuses that end a session. */
export const endStatuses = ["completed", "failed", "abandoned"] as const;
export type EndStatus = (typeof endStatuses)[number];

export const sessionKinds = ["work", "run", "turns", "import", "chat"] as const;
export type SessionKind = (typeof sessionKinds)[number];

export const subagentModes = ["inline", "link", "embed"] as const;
export type SubagentMode = (typeof subagentModes)[number];

/** A subagent as the parent's frontmatter lists it. Inline ones have no session, and are one by agent and model. */
export interface SubagentRef {
  session?: string;
  agent: string;
  model?: string;
  tokens?: number;
  /** Its session was deleted. */
  deleted?: true;
}

/** What only the session of a subagent knows, for its parent's frontmatter. */
export interface SubagentNews extends Pick<SubagentRef, "tokens" | "deleted"> {
  session: string;
}

/** The frontmatter. Keys that Clew does not know survive in the file and are carried along here. */
export interface Frontmatter {
  type: "session";
  session_id: string;
  title: string;
  started: string;
  status: Status;
  kind: SessionKind;
  channel?: string;
  model?: string;
  participants?: string[];
  tokens_used?: number;
  cost_usd?: number;
  subagents?: SubagentRef[];
  resume_point?: string;
  ended?: string;
  parent?: string;
  bead?: string;
  run?: string;
  branch?: string;
  commit?: string;
  engine_sessions?: unknown[];
  error?: string;
  archived?: string;
  [unknown: string]: unknown;
}

export interface ToolEntry {
  kind: "tool";
  name: string;
  args: string;
  result?: string;
  /** The whole of a result whose summary is `result`; absent where that is the whole. */
  result_full?: string;
  failed: boolean;
  /** The args above are only the beginning; `full` names the file that holds the whole. */
  cut?: boolean;
  full?: string;
}

export const textKinds = ["text", "decision", "task_complete", "note"] as const;
/** What waits for a person. Each such entry carries an id, and an `answer` naming that id settles it. */
export const questionKinds = ["decision_needed", "approval_required"] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface TextEntry {
  kind: (typeof textKinds)[number];
  text: string;
}

export interface QuestionEntry {
  kind: QuestionKind;
  text: string;
  id?: string;
}

export interface AnswerEntry {
  kind: "answer";
  id: string;
  text: string;
}

export interface ErrorEntry {
  kind: "error";
  text: string;
  resolution?: string;
}

export interface UserEntry {
  kind: "user";
  text: string;
  action?: string;
}

export interface SubagentEntry {
  kind: "subagent";
  agent: string;
  model?: string;
  mode: SubagentMode;
  session?: string;
  summary?: string;
  content?: string;
  tokens?: number;
}

export interface TokensEntry {
  kind: "tokens";
  tokens: number;
  model?: string;
}

/** What stands inside a phase. */
export type Entry =
  | ToolEntry
  | TextEntry
  | QuestionEntry
  | AnswerEntry
  | ErrorEntry
  | UserEntry
  | SubagentEntry
  | TokensEntry;

export const taskStatuses = ["pending", "in_progress", "completed"] as const;
export interface Task {
  id: string;
  content: string;
  status: (typeof taskStatuses)[number];
  priority?: string;
}

export interface PhaseEntry {
  kind: "phase";
  title: string;
  agent?: string;
  channel?: string;
  /** Of a phase that follows from a run's journal: the time and number of the event that opened it. */
  opened?: { at: string; journal: number };
}

export interface TasksEntry {
  kind: "tasks";
  tasks: Task[];
}

/** What can be logged: entries, and the two that give a session its shape. */
export type LogEntry = Entry | PhaseEntry | TasksEntry;

export interface Phase {
  id: string;
  title: string;
  agent: string | null;
  channel: string | null;
  started: string | null;
  commit?: string;
  entries: Entry[];
}

/** `session show --json`. `preamble` is what a person wrote above the first phase, `summary` below a `## Summary`. */
export interface SessionDocument {
  frontmatter: Frontmatter;
  tasks: Task[];
  phases: Phase[];
  preamble?: string;
  summary?: string;
}
