import { fromRedacted, type Redact, type Redacted, type RedactEncoded } from "../../contract/redacted.ts";
import type { Frontmatter, LogEntry, SubagentEntry } from "../../contract/session.ts";
import { asAgentName } from "../../contract/session-values.ts";
import type { PriceTable } from "../../engine/prices.ts";
import { TranscriptEntries, type EncodedCall } from "../../engine/transcript/entries.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { promptTitle } from "../../session/title.ts";
import { resultLimit } from "../../session/results.ts";
import { cutToCodePoints, maxSummaryChars } from "../../session/text.ts";
import { beginsAlike } from "../../session/tool-call.ts";
import { finishEntry } from "../session/entries.ts";
import type { SavedRecord } from "../session/ports.ts";
import { engineSessionsIn, takenPartFields, type EngineSession } from "../../session/engine-sessions.ts";
import { laterOf } from "./instant.ts";
import type { SessionForm } from "./parts.ts";
import type { KnownPart } from "./known-part.ts";
import type { BulkRecord, ImportMemory, Transcripts } from "./ports.ts";
import type { TranscriptSource } from "./source.ts";
import { TranscriptNews } from "./transcript-news.ts";

export interface WriteParts {
  memory: ImportMemory;
  prices: PriceTable;
  redact: Redact;
  redactEncoded: RedactEncoded;
  channel: Redacted<string>;
  form: SessionForm;
  /** Called as the file is read, with where it was read to. */
  onRead: (position: number) => void;
  markAt: Transcripts["mark"];
}

interface Target {
  record: BulkRecord;
  /** Of a session that goes on. */
  before: Frontmatter | undefined;
  known: KnownPart;
  parent: string | undefined;
  subagents: Map<string, SubagentEntry>;
  title: Redacted<string>;
}

export interface WrittenTranscript {
  saved: SavedRecord;
  written: Promise<void>;
  /** How it stands in the session of the agent that it worked for. */
  link: SubagentEntry;
}

/** The name of an engine session, over all engines. */
export function keyOf(engine: string, session: string): string {
  return `${engine} ${session}`;
}

/** The name under which a session has this transcript. */
export function ownerKey({ about, file }: TranscriptSource, redact: Redact): string {
  return keyOf(file.engine, redactRecord({ session: about.session ?? "" }, redact).session);
}

/** The name of the agent that a transcript is of, as a heading can hold it. */
export function agentOf({ about, file }: TranscriptSource): string {
  return asAgentName(about.agent ?? (about.parent ? "subagent" : file.engine)) ?? file.engine;
}

/** The entries of a transcript. Which messages it counts is remembered. */
export function entriesOf(
  { memory, prices, redact }: WriteParts,
  source: TranscriptSource,
  subagents: Map<string, SubagentEntry>,
): TranscriptEntries {
  const key = ownerKey(source, redact);
  return new TranscriptEntries({
    counts: (messageId) => memory.counts(key, messageId),
    prices,
    subagents,
    agent: agentOf(source),
    titleOf: (prompt) => promptTitle(prompt, redact),
  });
}

/** Writes what a transcript has and its session has not. Undefined when that is nothing. */
export function writeTranscript(
  parts: WriteParts,
  source: TranscriptSource,
  { record, before, known, parent, subagents, title }: Target,
): WrittenTranscript | undefined {
  const { redact, channel } = parts;
  const { engine } = source.file;
  const { session = "", cwd, branch } = source.about;
  const agent = agentOf(source);
  const entries = entriesOf(parts, source, subagents);
  const news = new TranscriptNews(source, entries, known);
  const ids = { random: () => "" };
  const keep = (text: Redacted<string>): string => record.keep(text);
  const finish = <T extends LogEntry>(entry: T): Redacted<T> => finishEntry(entry, { redact, ids, keep });
  /** A long result stays as it is written in the transcript, where its beginning is enough and nothing in it may be a secret. */
  const writeEncoded = ({ call, result }: EncodedCall): void => {
    const isWhole = result.bytes.length <= resultLimit && beginsAlike(call.result ?? "");
    const json = isWhole ? parts.redactEncoded(result.bytes) : undefined;
    if (json) record.appendEncoded(finish(call), json, news.at);
    else record.append([finish({ ...call, result: result.decode() })], news.at);
  };
  let hasNews = false;
  for (const entry of news.read(parts.onRead)) {
    hasNews = true;
    if (entry.kind === "encoded") writeEncoded(entry);
    else if (entry.kind !== "completed") record.append([finish(entry)], news.at);
    else {
      const after = finish(entry.after);
      if (!record.complete(finish(entry.before), after)) record.append([after], news.at);
    }
  }
  const standing = standingOf(before, news.until, parts.form.statusOf(source.file));
  if (!hasNews && (standing.status ?? before?.status) === before?.status) return undefined;

  const position = source.end;
  const mark = parts.markAt(source.file, position);
  const from = source.file.source;
  const taken = { position, ...(mark !== undefined && { mark }), until: news.until, ...(from && { source: from }) };
  const knownSessions = engineSessionsIn(before ?? {});
  const key = ownerKey(source, redact);
  const isThis = (each: EngineSession): boolean => keyOf(each.engine, each.session) === key;
  const others = knownSessions.filter((each) => !isThis(each));
  const { mark: _mark, until: _until, ...knownSession } = knownSessions.find(isThis) ?? {};
  const engineSession: EngineSession = {
    ...knownSession,
    engine,
    session,
    ...(cwd !== undefined && { folder: cwd }),
    ...takenPartFields(taken),
  };
  const changes = redactRecord(
    {
      ...(before === undefined && {
        type: "session" as const,
        session_id: record.id,
        title,
        started: source.startedAt,
        kind: parts.form.kind,
        channel,
        participants: [agent],
        ...(parent !== undefined && { parent }),
        ...(branch !== undefined && { branch }),
      }),
      ...standing,
      cost_usd: costOf(before, news, entries, known),
      engine_sessions: [...others, engineSession],
    },
    redact,
  );
  const { saved, written } = record.finish(changes);
  return { saved, written, link: linkOf(saved, entries, agent, redact) };
}

/** How the session stands now; nothing where that does not change. */
function standingOf(
  before: Frontmatter | undefined,
  until: string,
  status: "active" | "completed" | undefined,
): { [Key in "status" | "ended" | "paused" | "resume_point"]?: Frontmatter[Key] | undefined } {
  if (before?.status === "failed" || before?.status === "abandoned") return {};
  const noPause = { paused: undefined, resume_point: undefined };
  if (status === "active") return before?.status === status ? {} : { status, ended: undefined, ...noPause };
  if (status === "completed" && before && before.status !== status) return { status, ended: until, ...noPause };
  return endOf(before, until);
}

/** A session that was opened again in Clew, or that ended otherwise there, stays as it is. */
function endOf(before: Frontmatter | undefined, until: string): Partial<Pick<Frontmatter, "status" | "ended">> {
  if (before && before.status !== "completed") return {};
  return { status: "completed", ended: laterOf(before?.ended, until) };
}

/**
 * Undefined when a price is not known. What the session has counted stays so, whatever is remembered of it, and whatever an engine
 * took back: that was paid. All is counted anew only where the session could not tell what it cost before.
 */
function costOf(
  before: Frontmatter | undefined,
  { knownCostUsd }: TranscriptNews,
  { costUsd, tokens }: TranscriptEntries,
  { recorded, rewrittenAfter }: KnownPart,
): number | undefined {
  const isAll = recorded.length === 0 && rewrittenAfter === undefined;
  if (tokens === 0) return before?.cost_usd;
  if (costUsd === undefined) return isAll ? undefined : before?.cost_usd;
  const isNew = before?.cost_usd === undefined && (before?.tokens_used ?? 0) > 0 && isAll;
  const all = isNew ? costUsd : (before?.cost_usd ?? 0) + costUsd - (knownCostUsd ?? 0);
  return Math.max(0, Math.round(all * 1e6) / 1e6);
}

function linkOf(
  { frontmatter, tally }: SavedRecord,
  { lastText, model }: TranscriptEntries,
  agent: string,
  redact: Redact,
): SubagentEntry {
  const summary =
    fromRedacted(redact(lastText?.trim() ?? ""), (text) => cutToCodePoints(text, maxSummaryChars)) || "ended";
  return {
    kind: "subagent",
    agent,
    ...(model !== undefined && /^[^\s()]+$/u.test(model) && { model }),
    mode: "link",
    session: frontmatter.session_id,
    ...(tally.tokens !== null && { tokens: tally.tokens }),
    summary,
  };
}
