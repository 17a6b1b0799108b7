import { ClewError } from "../../contract/errors.ts";
import type { LogEntry, SubagentEntry } from "../../contract/session.ts";
import { channelPattern, endStatuses, type SubagentMode } from "../../contract/session-values.ts";
import { withVersion } from "../../session/agents.ts";
import { parseItems } from "../../session/parse.ts";
import { asOneLine, cutToCodePoints } from "../../session/text.ts";
import { amendCallout } from "./amend-callout.ts";
import { finishEntry, type CheckedEntry, type LoggedSubagent } from "./entries.ts";
import { assumeRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import type { Ids, SessionRecords } from "./ports.ts";
import type { Sessions } from "./lifecycle.ts";

interface Parts {
  sessions: Sessions;
  records: SessionRecords;
  redact: Redact;
  ids: Ids;
  subagentMode: SubagentMode;
  /** Throws when an answer would not be a person's. */
  refuseAnswer: () => void;
}

/** What logging an entry answers: the id it got, for those that get one. */
export interface Logged {
  id?: string;
}

/** What is wrong lies in the entry alone. */
export class RefusedSubagent extends ClewError {}

/** Logs entries, with what some of them bring about: ids for questions, sessions for subagents. */
export class Log {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async entry(sessionId: string, checked: CheckedEntry): Promise<Logged> {
    if (checked.kind === "subagent") return this.#subagent(sessionId, checked);
    const entry = this.#finish(sessionId, checked);
    await this.#parts.sessions.append(sessionId, [entry]);
    return loggedId(entry);
  }

  /**
   * Several entries with one sync. Subagents are not among them: they make sessions of their own. Save points are left to
   * `save`; `saveDue` tells whether one is due.
   */
  async entries(
    sessionId: string,
    checked: Exclude<CheckedEntry, LoggedSubagent>[],
  ): Promise<{ logged: Logged[]; saveDue: boolean }> {
    const entries = checked.map((each) => this.#finish(sessionId, each));
    const saveDue = await this.#parts.sessions.append(sessionId, entries, true);
    return { logged: entries.map(loggedId), saveDue };
  }

  save(sessionId: string): Promise<void> {
    return this.#parts.sessions.save(sessionId);
  }

  /** Throws when an answer from here would not be a person's. */
  refuseAnswer(): void {
    this.#parts.refuseAnswer();
  }

  /** An answer goes to the session that asked, whatever its status. */
  async answer(sessionId: string, questionId: string, text: string): Promise<void> {
    this.refuseAnswer();
    const answer = this.#finish(sessionId, { kind: "answer", id: questionId, text });
    await this.#parts.sessions.appendAnyway(sessionId, [answer]);
  }

  /** When a linked subagent's session has ended: what came of it goes where the parent's callout stands. */
  async tellParent(childId: string): Promise<void> {
    const { records } = this.#parts;
    const { frontmatter, text, bodyStart } = await records.read(childId);
    const { parent, status, error, tokens_used: tokens } = frontmatter;
    if (parent === undefined || !records.exists(parent)) return;
    const last = parseItems(text.slice(bodyStart)).findLast((item) => item.kind === "task_complete");
    const said = last && "text" in last ? last.text : undefined;
    await this.#closeLink(parent, childId, { summary: said ?? endedBadly(status, error), tokens });
  }

  async #subagent(parentId: string, logged: LoggedSubagent): Promise<Logged> {
    const entry: Redacted<SubagentEntry> = {
      ...this.#finish(parentId, logged),
      mode: logged.mode ?? this.#parts.subagentMode,
    };
    this.#refuseWrongSession(entry);
    if (entry.mode === "inline") {
      await this.#parts.sessions.append(parentId, [entry]);
      return {};
    }
    const running = entry.mode === "link" ? await this.#runningLink(parentId, entry) : undefined;
    if (running !== undefined) {
      await this.#finishChild(running, entry);
      const tokens = (await this.#tokensOf(running)) ?? entry.tokens;
      await this.#closeLink(parentId, running, { summary: entry.summary, tokens });
      return { id: running };
    }
    await this.#parts.sessions.refuseEnded(parentId);
    const childId = entry.session ?? (await this.#startChild(parentId, entry));
    const { content: _, ...callout } = entry;
    const tokens = (await this.#tokensOf(childId)) ?? entry.tokens;
    await this.#parts.sessions.append(parentId, [
      { ...callout, session: childId, ...(tokens !== undefined && { tokens }) },
    ]);
    const ends = entry.mode === "embed" || entry.summary !== undefined;
    if (ends) await this.#finishChild(childId, entry);
    else if (entry.content !== undefined)
      await this.#parts.sessions.append(childId, [assumeRedacted({ kind: "text", text: entry.content })]);
    return { id: childId };
  }

  #refuseWrongSession({ session, mode }: SubagentEntry): void {
    if (session === undefined) return;
    if (mode === "inline") {
      throw new RefusedSubagent(
        "invalid_input",
        "an inline subagent has no session",
        "leave the session out, or take mode link",
      );
    }
    if (!this.#parts.records.exists(session)) {
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
  async #runningLink(
    parentId: string,
    { session, agent, summary, content }: SubagentEntry,
  ): Promise<string | undefined> {
    if (summary === undefined) return undefined;
    const isMeant = (open: SubagentEntry): boolean =>
      session === undefined ? withVersion(agent, [open.agent]) === open.agent : open.session === session;
    const open = await this.#parts.records.change(parentId, ({ tally }) => tally.openLinks.filter(isMeant));
    const here = open.flatMap((each) => each.session ?? []).filter((id) => this.#parts.records.exists(id));
    const atWork: string[] = [];
    for (const id of here) if (!(await this.#hasEnded(id))) atWork.push(id);
    return atWork.at(-1) ?? (content === undefined ? here.at(-1) : undefined);
  }

  async #hasEnded(id: string): Promise<boolean> {
    const { frontmatter } = await this.#parts.records.read(id);
    return endStatuses.some((status) => status === frontmatter.status);
  }

  /** What the session itself has counted. */
  async #tokensOf(id: string): Promise<number | undefined> {
    return (await this.#parts.records.read(id)).frontmatter.tokens_used;
  }

  async #startChild(parentId: string, entry: Redacted<SubagentEntry>): Promise<string> {
    const { frontmatter } = await this.#parts.records.read(parentId);
    const phaseChannel = await this.#parts.records.change(parentId, ({ tally }) => tally.phaseChannel);
    const about = asOneLine(entry.summary ?? "");
    const title = about === "" ? `${entry.agent}: ${frontmatter.title}` : cutToCodePoints(about, 80);
    const childId = await this.#parts.sessions.start({
      title,
      agent: entry.agent,
      model: entry.model,
      channel: asChannel(phaseChannel ?? frontmatter.channel),
      parent: parentId,
    });
    await this.#parts.sessions.append(childId, [assumeRedacted({ kind: "phase", title: "Work", agent: entry.agent })]);
    return childId;
  }

  /** What the subagent left goes into its session, which then ends. One that has ended already stays as it is. */
  async #finishChild(childId: string, { content, summary, tokens, model }: Redacted<SubagentEntry>): Promise<void> {
    if (await this.#hasEnded(childId)) return;
    const counted = await this.#parts.records.change(childId, ({ tally }) => tally.tokens !== null);
    const entries: LogEntry[] = [];
    if (content !== undefined) entries.push({ kind: "text", text: content });
    if (tokens !== undefined && !counted) {
      entries.push({ kind: "tokens", tokens, ...(model !== undefined && { model }) });
    }
    if (summary !== undefined) entries.push({ kind: "task_complete", text: summary });
    if (entries.length > 0) await this.#parts.sessions.append(childId, entries.map(assumeRedacted));
    await this.#parts.sessions.end(childId, "completed");
  }

  async #closeLink(
    parentId: string,
    childId: string,
    { summary, tokens }: { summary: string | undefined; tokens: number | undefined },
  ): Promise<void> {
    const outcome = { ...(summary !== undefined && { summary }), ...(tokens !== undefined && { tokens }) };
    await this.#parts.sessions.change(parentId, async (record) => {
      const isAmended = await amendCallout(record, childId, outcome, this.#parts.redact);
      return isAmended ? record.save() : undefined;
    });
  }

  #finish<T extends CheckedEntry>(sessionId: string, checked: T): Redacted<T> {
    const { redact, ids, records } = this.#parts;
    return finishEntry(checked, { redact, ids, keep: (text) => records.keep(sessionId, text) });
  }
}

/** What the parent is told of a session that ended without a summary: nothing, unless it did not get to its end. */
function endedBadly(status: string, error: string | undefined): string | undefined {
  if (status === "completed") return undefined;
  return error === undefined ? status : `${status}: ${error}`;
}

/** A person may have written anything into the parent's frontmatter. */
function asChannel(text: string | undefined): string | undefined {
  return text !== undefined && channelPattern.test(text) ? text : undefined;
}

function loggedId(entry: LogEntry): Logged {
  return "id" in entry && entry.id !== undefined ? { id: entry.id } : {};
}
