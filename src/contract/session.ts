import type * as z from "zod/mini";
import type { entry, phase, sessionDocument, SubagentRef, task } from "./api/session-document.ts";
import type { QuestionKind } from "./session-values.ts";

/** The session record as it crosses a border: what `session.md` says, as data. The schemas are in `api/session-document.ts`. */

/** What only the session of a subagent knows, for its parent's frontmatter. */
export interface SubagentNews extends Pick<SubagentRef, "tokens" | "deleted"> {
  session: string;
}

/** What stands inside a phase. */
export type Entry = z.infer<typeof entry>;
type EntryOf<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;
export type ToolEntry = EntryOf<"tool">;
export type QuestionEntry = EntryOf<QuestionKind>;
export type SubagentEntry = EntryOf<"subagent">;
export type RemarkEntry = EntryOf<"remark">;
export type TokensEntry = EntryOf<"tokens">;

export type Task = z.infer<typeof task>;

/**
 * The number of the event in a run's journal that opened a phase, or the transcript of the agent that worked in it; of a
 * subagent, with the call that started it.
 */
export type PhaseOrigin = { at: string } & ({ journal: number } | { transcript: string; call?: string });

export interface PhaseEntry {
  kind: "phase";
  title: string;
  agent?: string;
  channel?: string;
  /** Of a phase that follows from a run's journal or an agent's transcript: when it began, and what it follows from. */
  opened?: PhaseOrigin;
}

export interface TasksEntry {
  kind: "tasks";
  tasks: Task[];
}

/** What can be logged: entries, and the two that give a session its shape. */
export type LogEntry = Entry | PhaseEntry | TasksEntry;

export type Phase = z.infer<typeof phase>;
export type SessionDocument = z.infer<typeof sessionDocument>;
/** Keys that Clew does not know survive in the file and are carried along here. */
export type Frontmatter = SessionDocument["frontmatter"];
