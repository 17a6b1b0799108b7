import * as z from "zod/mini";
import type { Operation } from "../contract/api/operation.ts";
import type { operations } from "../contract/api/table.ts";
import { sessionName } from "../contract/api/session-name.ts";

type Table = typeof operations;
type Offered<Entry> = Entry extends Operation & ({ effect: "decides" } | { where: "local" } | { streams: true })
  ? never
  : Entry;
type NamesOf<Resource extends keyof Table> = {
  [Name in keyof Table[Resource]]: Offered<Table[Resource][Name]> extends never
    ? never
    : `${Resource}.${Name & string}`;
}[keyof Table[Resource]];

/**
 * What an agent may be offered: nothing that a person decides (verdicts, answers, signals), and nothing that needs the caller's
 * own terminal. The compiler refuses the rest.
 */
export type OfferedOperation = { [Resource in keyof Table]: NamesOf<Resource> }[keyof Table];

/** How an operation looks to an agent. */
export interface ToolEntry {
  operation: OfferedOperation;
  title: string;
  /** What it is for, for a model. */
  about: string;
  /** What it takes, where that is not what the operation takes. */
  input?: z.ZodMiniObject;
  /** What fields mean here, where that is not what they mean in other tools. */
  fields?: Record<string, string>;
  /** The operation's request, made of that. */
  request?: (input: Record<string, unknown>) => unknown;
}

const entryInput = z.strictObject({ text: z.string(), session: sessionName });

/** A tool that logs one kind of entry. */
function logs(kind: "decision" | "text", title: string, about: string): ToolEntry {
  const request = ({ text, session }: Record<string, unknown>): unknown => ({ session, entry: { kind, text } });
  return { operation: "sessions.log", title, about, input: entryInput, request };
}

/** All tools that are operations, by name. What drives runs is beside them, in `workflow-tools.ts`. */
export const toolTable = {
  workflow_list: {
    operation: "grimoires.list",
    title: "List workflows",
    about:
      "Lists the workflows of this repository and the built-in ones: each is a way to work on a bead (a task), step by step.",
  },
  workflow_inspect: {
    operation: "grimoires.show",
    title: "Inspect a workflow",
    about: "Shows a workflow as it is written: its steps, what each does, and what it needs.",
  },
  run_list: {
    operation: "runs.list",
    title: "List runs",
    about: "Lists runs (workflows at work on a bead), newest first, with their status.",
  },
  run_show: {
    operation: "runs.show",
    title: "Show a run",
    about: "Shows a run: how it stands, its steps and what they gave, why it waits, and what to do about it.",
  },
  bead_ready: {
    operation: "beads.ready",
    title: "List ready beads",
    about: "Lists the beads (tasks) that can be begun now, the most urgent first.",
  },
  bead_show: { operation: "beads.show", title: "Show a bead", about: "Shows a bead (a task) with all its fields." },
  bead_create: {
    operation: "beads.create",
    title: "Create a bead",
    about: "Notes a task as a new bead, such as work that you found and that is not yours to do now.",
  },
  session_list: {
    operation: "sessions.list",
    title: "List sessions",
    about: "Lists sessions (records of what agents did and decided), newest first.",
  },
  session_search: {
    operation: "search.find",
    title: "Search sessions",
    about:
      "Full text over all sessions: what was decided, tried, asked and broken before. Look here before you decide anew what may be decided already.",
    fields: { text: "words to search for", session: "only in this session: its id, the beginning of one, or latest" },
  },
  session_show: {
    operation: "sessions.show",
    title: "Show a session",
    about: "Shows a session as data: its phases with their entries. Of a long one, session_context tells the essence.",
  },
  session_context: {
    operation: "sessions.context",
    title: "Context of a session",
    about: "What an agent needs to go on with a session, within a budget of tokens: recent phases, and every decision.",
  },
  session_start: {
    operation: "sessions.start",
    title: "Start a session",
    about:
      "Starts a session, the record of a piece of work. Log into it what matters, and end it when the work is done.",
  },
  session_end: {
    operation: "sessions.end",
    title: "End a session",
    about: "Ends a session that was started over MCP.",
  },
  decision_record: logs(
    "decision",
    "Record a decision",
    "Records a decision and its reason in a session, where people and later agents find it.",
  ),
  note_record: logs("text", "Record a note", "Records what you found or did in a session, in your own words."),
  breadcrumb_record: {
    operation: "sessions.addBreadcrumb",
    title: "Record a breadcrumb",
    about:
      "Leaves a breadcrumb of your progress in a session: a note, decision, result or handoff, with the files that it is about.",
  },
  inbox_list: {
    operation: "inbox.list",
    title: "List the inbox",
    about:
      "Lists what waits for a person: questions, approvals, permissions, blocked runs. Only a person answers them.",
  },
  status_show: {
    operation: "status.show",
    title: "Show the status",
    about: "What needs a person, what runs, what is paused, what is ready and what ended.",
  },
} as const satisfies Record<string, ToolEntry>;

/** What fields of the same name mean in all tools, for a model. */
export const fieldDescriptions: Record<string, string> = {
  session: "a session's id, the beginning of one, or latest; without it, the one active session",
  cookie: "the whole id of the session",
  run: "a run's id, the beginning of one, its bead, or latest",
  bead: "a bead's id, or a part of it that only one has",
  grimoire: "the name of a workflow, as workflow_list tells it",
  limit: "at most so many",
  after: "the `next` of the page before, for the page that follows",
  text: "in your own words",
  files: "paths of files, from the repository's root",
  budget: "how long the answer may be, in tokens",
  since: "an instant in ISO 8601: only what started then or later",
};
