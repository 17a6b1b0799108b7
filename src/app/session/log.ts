import { ClewError } from "../../contract/errors.ts";
import { channelPattern, endStatuses } from "../../contract/session-values.ts";
import type { LogEntry, PhaseOrigin, SubagentEntry } from "../../contract/session.ts";
import { withVersion } from "../../session/agents.ts";
import { parseItems } from "../../session/parse.ts";
import { asOneLine, cutToCodePoints } from "../../session/text.ts";
import { refuseAnyStep } from "../run/authority.ts";
import type { Caller } from "../run/ports.ts";
import { amendCallout } from "./amend-callout.ts";
import { finishEntry, type CheckedEntry, type LoggedSubagent, type SubagentCallout } from "./entries.ts";
import { fromRedacted, ofRedactedParts, type Redact, type Redacted } from "../../contract/redacted.ts";
import { changeSession } from "./change.ts";
import { appendEntries, appendInAnyState, endSession, refuseEndedSession, startSession } from "./lifecycle.ts";
import type { SessionParts } from "./parts.ts";
import type { Ids } from "./ports.ts";

export interface LogParts {
  sessions: SessionParts;
  redact: Redact;
  ids: Ids;
  /** The process that asks for it, with all steps around it. */
  caller: () => Promise<Caller>;
  /** Whether the agent of a talk waits for the answer to this question. */
  isPermission: (questionId: string) => boolean;
}

/** What logging an entry answers: the id it got, for those that get one. */
export interface Logged {
  id?: string;
}

/** What is wrong lies in the entry alone. */
export class RefusedSubagent extends ClewError {}

/** Logs an entry, with what it brings about: an id for a question, a session for a subagent. */
export async function logEntry(log: LogParts, sessionId: string, checked: CheckedEntry): Promise<Logged> {
  if (checked.kind === "subagent") return logSubagent(log, sessionId, checked);
  const entry = finishFor(log, sessionId, checked);
  await appendEntries(log.sessions, sessionId, [entry]);
  return loggedId(entry);
}

/** Entries that bring nothing about but themselves. */
export type PlainEntry = Exclude<CheckedEntry, LoggedSubagent> | SubagentCallout;

/**
 * Several entries with one sync. Subagents that make sessions of their own are not among them. Save points are left to
 * the caller; `isSaveDue` tells whether one is due.
 */
export async function logEntries(
  log: LogParts,
  sessionId: string,
  checked: PlainEntry[],
): Promise<{ logged: Logged[]; isSaveDue: boolean }> {
  const entries = checked.map((each) => finishFor(log, sessionId, each));
  const isSaveDue = await appendEntries(log.sessions, sessionId, entries, true);
  return { logged: entries.map(loggedId), isSaveDue };
}

/** An answer goes to the session that asked, whatever its status. */
export async function logAnswer(log: LogParts, sessionId: string, questionId: string, text: string): Promise<void> {
  refuseAnyStep(await log.caller());
  const answer = finishFor(log, sessionId, { kind: "answer", id: questionId, text });
  await appendInAnyState(log.sessions, sessionId, [answer]);
}

/** When a linked subagent's session has ended: what came of it goes where the parent's callout stands. */
export async function closeParentLink(log: LogParts, childId: string): Promise<void> {
  const { records } = log.sessions;
  const { frontmatter, text, bodyStart } = await records.read(childId);
  const { parent, status, error, tokens_used: tokens } = frontmatter;
  if (parent === undefined || !records.exists(parent)) return;
  const last = parseItems(text.slice(bodyStart)).findLast((item) => item.kind === "task_complete");
  const summary = last && "text" in last ? last.text : undefined;
  await closeLink(log, parent, childId, { summary: summary ?? failureOf(status, error), tokens });
}

async function logSubagent(log: LogParts, parentId: string, logged: LoggedSubagent): Promise<Logged> {
  const entry: Redacted<SubagentEntry> = {
    ...finishFor(log, parentId, logged),
    mode: logged.mode ?? log.sessions.settings.subagent_mode,
  };
  refuseWrongSession(log, entry);
  if (entry.mode === "inline") {
    await appendEntries(log.sessions, parentId, [entry]);
    return {};
  }
  const running = entry.mode === "link" ? await runningLink(log, parentId, entry) : undefined;
  if (running !== undefined) {
    await finishChild(log, running, entry);
    const tokens = (await tokensOf(log, running)) ?? entry.tokens;
    await closeLink(log, parentId, running, { summary: entry.summary, tokens });
    return { id: running };
  }
  await refuseEndedSession(log.sessions, parentId);
  const childId = entry.session ?? (await startChild(log, parentId, { ...entry, title: entry.summary ?? "" }));
  const { content: _, ...callout } = entry;
  const tokens = (await tokensOf(log, childId)) ?? entry.tokens;
  await appendEntries(log.sessions, parentId, [
    { ...callout, session: childId, ...(tokens !== undefined && { tokens }) },
  ]);
  const ends = entry.mode === "embed" || entry.summary !== undefined;
  if (ends) await finishChild(log, childId, entry);
  else {
    const text = fromRedacted(entry, ({ content }) => content);
    if (text !== undefined) await appendEntries(log.sessions, childId, [ofRedactedParts({ kind: "text", text })]);
  }
  return { id: childId };
}

function refuseWrongSession(log: LogParts, { session, mode }: SubagentEntry): void {
  if (session === undefined) return;
  if (mode === "inline") {
    throw new RefusedSubagent(
      "invalid_input",
      "an inline subagent has no session",
      "leave the session out, or take mode link",
    );
  }
  if (!log.sessions.records.exists(session)) {
    throw new RefusedSubagent(
      "unknown_session",
      `there is no session ${session}`,
      "clew session list shows those that exist",
    );
  }
}

/**
 * A summary for an agent whose link in the parent has none yet is the end of that subagent's work. A session that has ended without
 * one takes it, too, but no more work.
 */
async function runningLink(
  log: LogParts,
  parentId: string,
  { session, agent, summary, content }: SubagentEntry,
): Promise<string | undefined> {
  if (summary === undefined) return undefined;
  const isIts = (open: SubagentEntry): boolean =>
    session === undefined ? withVersion(agent, [open.agent]) === open.agent : open.session === session;
  const open = await log.sessions.records.change(parentId, ({ tally }) => tally.openLinks.filter(isIts));
  const existing = open.flatMap((each) => each.session ?? []).filter((id) => log.sessions.records.exists(id));
  const atWork: string[] = [];
  for (const id of existing) if (!(await hasEnded(log, id))) atWork.push(id);
  return atWork.at(-1) ?? (content === undefined ? existing.at(-1) : undefined);
}

export async function hasEnded(log: LogParts, id: string): Promise<boolean> {
  const { frontmatter } = await log.sessions.records.read(id);
  return endStatuses.some((status) => status === frontmatter.status);
}

/** What the session itself has counted. */
async function tokensOf(log: LogParts, id: string): Promise<number | undefined> {
  return (await log.sessions.records.read(id)).frontmatter.tokens_used;
}

/** The session of a subagent, with a phase for its work. */
export async function startChild(
  log: LogParts,
  parentId: string,
  { agent, model, title: about = "" }: Pick<SubagentEntry, "agent" | "model"> & { title?: string },
  { bead, opened }: { bead?: string | undefined; opened?: PhaseOrigin } = {},
): Promise<string> {
  const { frontmatter } = await log.sessions.records.read(parentId);
  const phaseChannel = await log.sessions.records.change(parentId, ({ tally }) => tally.phaseChannel);
  const line = asOneLine(about);
  const title = line === "" ? `${agent}: ${frontmatter.title}` : cutToCodePoints(log.redact(line), 80);
  const childId = await startSession(log.sessions, {
    title,
    agent,
    model,
    channel: asChannel(phaseChannel ?? frontmatter.channel),
    parent: parentId,
    // What it costs is the bead's, too.
    bead: bead ?? asBead(frontmatter.bead),
  });
  const phase = { kind: "phase" as const, title: "Work", agent, ...(opened && { opened }) };
  await appendEntries(log.sessions, childId, [finishFor(log, childId, phase)]);
  return childId;
}

/** What the subagent did goes into its session, which then ends. One that has ended already stays as it is. */
async function finishChild(log: LogParts, childId: string, entry: Redacted<SubagentEntry>): Promise<void> {
  if (await hasEnded(log, childId)) return;
  const { tokens } = entry;
  const content = fromRedacted(entry, (each) => each.content);
  const summary = fromRedacted(entry, (each) => each.summary);
  const model = fromRedacted(entry, (each) => each.model);
  const isCounted = await log.sessions.records.change(childId, ({ tally }) => tally.tokens !== null);
  const entries: Redacted<LogEntry>[] = [];
  if (content !== undefined) entries.push(ofRedactedParts({ kind: "text", text: content }));
  if (tokens !== undefined && !isCounted) {
    entries.push(ofRedactedParts({ kind: "tokens", tokens, ...(model !== undefined && { model }) }));
  }
  if (summary !== undefined) entries.push(ofRedactedParts({ kind: "task_complete", text: summary }));
  if (entries.length > 0) await appendEntries(log.sessions, childId, entries);
  await endSession(log.sessions, childId, "completed");
}

async function closeLink(
  log: LogParts,
  parentId: string,
  childId: string,
  { summary, tokens }: { summary: string | undefined; tokens: number | undefined },
): Promise<void> {
  const outcome = { ...(summary !== undefined && { summary }), ...(tokens !== undefined && { tokens }) };
  await changeSession(log.sessions, parentId, async (record) => {
    const isAmended = await amendCallout(record, childId, outcome, log.redact);
    return isAmended ? record.save() : undefined;
  });
}

function finishFor<T extends CheckedEntry>(log: LogParts, sessionId: string, checked: T): Redacted<T> {
  const { redact, ids, sessions } = log;
  return finishEntry(checked, { redact, ids, keep: (text) => sessions.records.keep(sessionId, text) });
}

/** What the parent is told of a session that ended without a summary: nothing, unless it did not get to its end. */
function failureOf(status: string, error: string | undefined): string | undefined {
  if (status === "completed") return undefined;
  return error === undefined ? status : `${status}: ${error}`;
}

/** A person may have written anything into the parent's frontmatter. */
function asChannel(text: string | undefined): string | undefined {
  return text !== undefined && channelPattern.test(text) ? text : undefined;
}

function asBead(bead: unknown): string | undefined {
  return typeof bead === "string" && bead !== "" && bead.length <= 200 ? bead : undefined;
}

function loggedId(entry: LogEntry): Logged {
  return "id" in entry && entry.id !== undefined ? { id: entry.id } : {};
}
