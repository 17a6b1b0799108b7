import { fromRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import type { Frontmatter, LogEntry, SubagentEntry } from "../../contract/session.ts";
import { agentPattern } from "../../contract/session-values.ts";
import { instantOf } from "./instant.ts";
import type { PriceTable } from "../../engine/prices.ts";
import { TranscriptEntries, type TranscriptEntry } from "../../engine/transcript/entries.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { promptTitle } from "../../session/title.ts";
import { cutToCodePoints } from "../../session/text.ts";
import { finishEntry } from "../session/entries.ts";
import type { SavedRecord } from "../session/ports.ts";
import { engineSessionsIn, type EngineSession } from "../../session/engine-sessions.ts";
import type { BulkRecord, ImportMemory } from "./ports.ts";
import type { TranscriptSource } from "./source.ts";

export interface WriteParts {
  memory: ImportMemory;
  prices: PriceTable;
  redact: Redact;
  channel: Redacted<string>;
  /** Called as the file is read, with where it was read to. */
  onRead: (bytes: number) => void;
}

interface Target {
  record: BulkRecord;
  /** Of a session that goes on. */
  before: Frontmatter | undefined;
  /** So much of the transcript stands in the session already. */
  knownBytes: number;
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

/** The name of the agent that a transcript is of, as a heading can hold it. */
export function agentOf({ about, file }: TranscriptSource): string {
  const name = (about.agent ?? (about.parent ? "subagent" : file.engine)).replace(/[\s@#()[\]]+/g, "-").slice(0, 60);
  return agentPattern.test(name) ? name : file.engine;
}

const maxSummary = 300;

/** Writes what a transcript has and its session has not. Undefined when that is nothing. */
export function writeTranscript(
  { memory, prices, redact, channel, onRead }: WriteParts,
  source: TranscriptSource,
  { record, before, knownBytes, parent, subagents, title }: Target,
): WrittenTranscript | undefined {
  const { engine } = source.file;
  const { session = "", cwd, branch } = source.about;
  const key = keyOf(engine, session);
  const agent = agentOf(source);
  const entries = new TranscriptEntries({
    counts: (messageId) => memory.counts(key, messageId),
    prices,
    subagents,
    agent,
    titleOf: (prompt) => promptTitle(prompt, redact),
  });
  const ids = { random: () => "" };
  const keep = (text: Redacted<string>): string => record.keep(text);
  const finish = <T extends LogEntry>(entry: T): Redacted<T> => finishEntry(entry, { redact, ids, keep });
  let at = "";
  let startedAt = "";
  let isNews = knownBytes === 0;
  let hasNews = false;

  const write = (news: TranscriptEntry[]): void => {
    for (const entry of news) {
      hasNews = true;
      if (entry.kind !== "completed") record.append([finish(entry)], at);
      else {
        const after = finish(entry.after);
        if (!record.complete(finish(entry.before), after)) record.append([after], at);
      }
    }
  };

  for (const { end, at: lineAt, events } of source.readings()) {
    if (!isNews && end > knownBytes) {
      // What the last import wrote when it came to the end.
      entries.settle();
      isNews = true;
    }
    at = (lineAt === undefined ? undefined : instantOf(lineAt)) ?? at;
    if (startedAt === "") startedAt = at;
    for (const event of events) {
      const news = entries.add(event);
      if (isNews) write(news);
    }
    onRead(end);
  }
  const settled = entries.settle();
  if (isNews) write(settled);
  write(entries.otherSubagents());
  if (!hasNews) return undefined;

  const engineSession: EngineSession = {
    engine,
    session,
    ...(cwd !== undefined && { folder: cwd }),
    bytes: source.end,
  };
  const { costUsd } = entries;
  const others = engineSessionsIn(before ?? {}).filter((each) => each.session !== session);
  const changes = redactRecord(
    {
      ...(before === undefined && {
        type: "session" as const,
        session_id: record.id,
        title,
        started: startedAt,
        kind: "import" as const,
        channel,
        participants: [agent],
        ...(parent !== undefined && { parent }),
        ...(branch !== undefined && { branch }),
      }),
      status: "completed" as const,
      ended: at,
      cost_usd: costUsd !== undefined && entries.tokens > 0 ? Math.round(costUsd * 1e6) / 1e6 : undefined,
      engine_sessions: [...others, engineSession],
    },
    redact,
  );
  const { saved, written } = record.finish(changes);
  return { saved, written, link: linkOf(saved, entries, agent, redact) };
}

function linkOf(
  { frontmatter, tally }: SavedRecord,
  { lastText, model }: TranscriptEntries,
  agent: string,
  redact: Redact,
): SubagentEntry {
  const summary = fromRedacted(redact(lastText?.trim() ?? ""), (text) => cutToCodePoints(text, maxSummary)) || "ended";
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
