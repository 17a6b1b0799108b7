import * as z from "zod/mini";
import { breadcrumbInFile } from "../breadcrumb.ts";
import { noteKinds } from "../breadcrumb-values.ts";
import { groupings } from "../session-row.ts";
import { rehydration } from "../rehydration.ts";
import { exportFormats } from "../report-values.ts";
import { logEntrySchema } from "../session-schema.ts";
import { endStatuses } from "../session-values.ts";
import { reads, readsLocally, writes, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";
import { nonNegativeInt, page, countLimit } from "./paging.ts";
import { sessionAddition, sessionDetails, sessionDocument } from "./session-document.ts";
import { filter, sessionList, sessionStats, statsGroup, unreadableFile } from "./session-list.ts";
import { sessionAgentOperations } from "./session-agent.ts";
import { sessionLookupErrors, sessionName } from "./session-name.ts";
import { period, periodRequest, renderPeriodRequest } from "./session-period.ts";
import { resumeContext, resumeRequest } from "./session-resume.ts";
import { renderedSessions, sessionExport, sessionTimeline, sessionTree } from "./session-report.ts";

const readErrors = [...sessionLookupErrors, "damaged_session"] as const;
const count = z.int();
const sessionRequest = z.strictObject({ session: sessionName });

const refusal = z.strictObject({ code: z.string(), message: z.string(), hint: z.string() });
const batchAnswer = z.union([
  z.strictObject({ line: count, ok: z.literal(true), id: z.exactOptional(z.string()) }),
  z.strictObject({ line: count, error: refusal }),
]);
/** What became of a line. */
export type BatchAnswer = z.infer<typeof batchAnswer>;

export const sessionOperations = {
  start: {
    ...writes,
    about: "Starts a session.",
    request: z.strictObject({
      title: z.string(),
      channel: z.optional(z.string()),
      agent: z.optional(z.string()),
      model: z.optional(z.string()),
    }),
    response: z.strictObject({ session_id: z.string(), path: z.string() }),
    errors: [],
  },
  find: {
    ...reads,
    about: "Names the session that is meant.",
    request: sessionRequest,
    response: z.strictObject({ session_id: z.string() }),
    errors: sessionLookupErrors,
  },
  log: {
    ...writes,
    about: "Appends an entry; it is on disk when this answers.",
    request: z.strictObject({ session: sessionName, entry: logEntrySchema }),
    response: z.strictObject({ ok: z.literal(true), session_id: z.string(), id: z.exactOptional(z.string()) }),
    errors: [...readErrors, "unknown_inbox_item", "not_possible_now"],
  },
  logLines: {
    ...writesLocally,
    about: "Appends entries as they come, as JSON lines, and acknowledges each once it is on disk.",
    streams: true,
    request: z.strictObject({
      session: sessionName,
      /** As many lines at once as have arrived; null for one that is too long to be held. */
      lines: z.custom<AsyncIterable<(string | null)[]>>(),
    }),
    /** In the order of the lines, as many at once as are on disk together. */
    response: z.array(batchAnswer),
    errors: [...readErrors, "not_possible_now"],
  },
  pause: {
    ...writes,
    about: "Pauses a session; it resumes at its current phase.",
    request: sessionRequest,
    response: z.strictObject({ session_id: z.string(), status: z.literal("paused") }),
    errors: [...readErrors, "not_possible_now"],
  },
  end: {
    ...writes,
    about: "Ends a session. A linked subagent's summary goes to its parent.",
    request: z.strictObject({
      session: sessionName,
      status: z.enum(endStatuses),
      error: z.optional(z.string()),
      summary: z.optional(z.string()),
    }),
    response: z.strictObject({ session_id: z.string(), status: z.enum(endStatuses) }),
    errors: [...readErrors, "not_possible_now"],
  },
  rename: {
    ...writes,
    about: "Gives a session another title; its id stays.",
    request: z.strictObject({ session: z.string(), title: z.string() }),
    response: z.strictObject({ session_id: z.string(), title: z.string() }),
    errors: readErrors,
  },
  archive: {
    ...writes,
    about: "Leaves a session out of lists, or brings it back; its file stays where it is.",
    request: z.strictObject({ session: z.string(), archived: z.boolean() }),
    response: z.strictObject({ session_id: z.string(), archived: z.boolean() }),
    errors: [...readErrors, "not_possible_now"],
  },
  delete: {
    ...writes,
    about: "Deletes a session for good: folder, copy and index.",
    request: z.strictObject({ session: z.string() }),
    response: z.strictObject({ session_id: z.string(), deleted: z.literal(true) }),
    errors: [...sessionLookupErrors, "not_possible_now"],
  },
  list: {
    ...reads,
    about: "Lists sessions, newest first.",
    paged: true,
    request: z.strictObject({ ...filter, ...page }),
    response: sessionList,
    errors: [],
  },
  names: {
    ...reads,
    about: "Ids and titles of the newest sessions, as the index has them: for completion, which must not wait.",
    request: z.strictObject({ limit: countLimit }),
    response: z.strictObject({ sessions: z.array(z.strictObject({ session_id: z.string(), title: z.string() })) }),
    errors: [],
  },
  show: {
    ...reads,
    about: "A session as data: frontmatter, tasks, phases with their entries.",
    request: z.strictObject({
      session: sessionName,
      /** Whole results of tool calls, where a summary is not all. */
      full: z.optional(z.boolean()),
    }),
    response: sessionDocument,
    errors: readErrors,
  },
  read: {
    ...reads,
    about: "A session with the sessions it embeds, for somebody to read.",
    request: z.strictObject({ session: sessionName, full: z.optional(z.boolean()) }),
    response: sessionDetails,
    errors: readErrors,
  },
  text: {
    ...reads,
    about: "The text of session.md, with what is on its way there.",
    request: sessionRequest,
    response: z.strictObject({ session_id: z.string(), path: z.string(), text: z.string() }),
    errors: readErrors,
  },
  addBreadcrumb: {
    ...writes,
    about: "Keeps what an agent notes of its progress; it is on disk when this answers.",
    request: z.strictObject({
      /** The session's id, as the agent was told it. */
      cookie: z.string(),
      kind: z.enum(noteKinds),
      text: z.string(),
      files: z.optional(z.array(z.string())),
    }),
    response: z.strictObject({ session_id: z.string(), path: z.string(), timestamp: z.string() }),
    errors: [...readErrors, "not_possible_now"],
  },
  breadcrumbs: {
    ...reads,
    about: "What the agents of a session left of their progress, in the order of time.",
    request: z.strictObject({
      session: sessionName,
      /** 0 is the session's own agent, one more for each subagent below it. */
      depth: z.optional(nonNegativeInt),
      /** Only so many, the last ones. */
      limit: z.optional(countLimit),
    }),
    response: z.strictObject({
      session_id: z.string(),
      breadcrumbs: z.array(breadcrumbInFile),
      unreadable: z.array(unreadableFile),
    }),
    errors: sessionLookupErrors,
  },
  follow: {
    ...reads,
    about: "What is added to a session, from an earlier look at it until it ends.",
    streams: true,
    request: z.strictObject({
      session: sessionName,
      full: z.optional(z.boolean()),
      /** The number of the last phase or entry that is known. */
      after: z.optional(nonNegativeInt),
    }),
    response: sessionAddition,
    errors: [...readErrors, "gone"],
  },
  stats: {
    ...reads,
    about: "What one session adds up to.",
    request: sessionRequest,
    response: sessionStats,
    errors: readErrors,
  },
  tree: {
    ...reads,
    about: "A session with the sessions of its subagents; without a name, the newest that have any.",
    request: z.strictObject({
      session: z.optional(z.string()),
      /** How many trees. */
      limit: z.optional(countLimit),
    }),
    response: sessionTree,
    errors: sessionLookupErrors,
  },
  timeline: {
    ...reads,
    about: "What happened in a session, by time: engines, phases, calls, breadcrumbs, tasks, pauses, errors.",
    request: sessionRequest,
    response: sessionTimeline,
    errors: readErrors,
  },
  export: {
    ...reads,
    about: "Sessions as data: what show tells, with breadcrumbs, timeline and stats.",
    request: z.strictObject({ sessions: z.array(z.string()) }),
    response: sessionExport,
    errors: readErrors,
  },
  render: {
    ...reads,
    about: "Sessions as one text for people: Markdown, or a page that needs nothing else.",
    request: z.strictObject({ sessions: z.array(z.string()), format: z.enum(exportFormats) }),
    response: renderedSessions,
    errors: readErrors,
  },
  period: {
    ...reads,
    about: "What the sessions of a period add up to: by day, with tools, failures and each session.",
    request: z.strictObject(periodRequest),
    response: period,
    errors: [],
  },
  renderPeriod: {
    ...reads,
    about: "The sessions of a period as one text for people: Markdown, or a page that needs nothing else.",
    request: z.strictObject(renderPeriodRequest),
    response: renderedSessions,
    errors: [],
  },
  totals: {
    ...reads,
    about:
      "What all sessions, or those of a period, add up to, by agent, channel, status (unless said otherwise), engine, bead, branch or merged work.",
    request: z.strictObject({ by: z.optional(z.enum(groupings)), ...periodRequest }),
    response: z.strictObject({ groups: z.array(statsGroup) }),
    errors: [],
  },
  context: {
    ...reads,
    about: "What an agent needs to go on with a session. Changes nothing.",
    request: resumeRequest,
    response: resumeContext,
    errors: readErrors,
  },
  rehydrate: {
    ...readsLocally,
    about:
      "Where an agent stands: its step, notes, decisions, what is missing, and its continue token. Changes nothing.",
    /** Without a session: that of the agent below which this is asked, else the one that is active. */
    request: resumeRequest,
    response: rehydration,
    errors: [...readErrors, "unknown_run", "damaged_run"],
  },
  resume: {
    ...writes,
    about: "Opens a session again, with what an agent needs to go on.",
    request: resumeRequest,
    response: resumeContext,
    errors: [...readErrors, "not_possible_now"],
  },
  ...sessionAgentOperations,
  checkIndex: {
    ...writes,
    about: "Compares the index with every session's file and takes over what differs.",
    request: z.strictObject({}),
    response: z.strictObject({ sessions: count, changed: z.array(z.string()) }),
    errors: [],
  },
  rebuildIndex: {
    ...writes,
    about: "Makes index and search again from the sessions' files.",
    request: z.strictObject({}),
    response: z.strictObject({ sessions: count }),
    errors: [],
  },
} as const satisfies OperationTable;

export type SessionsApi = ApiOf<typeof sessionOperations>;
