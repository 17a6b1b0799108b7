import type { BatchAnswer } from "../../contract/api/session.ts";
import { ClewError } from "../../contract/errors.ts";
import { checkEntry, type CheckedEntry, type LoggedSubagent } from "./entries.ts";
import { refuseForeignEntry, takesAuthority } from "./entry-authority.ts";
import { saveSession } from "./lifecycle.ts";
import { logEntries, logEntry, RefusedSubagent, type Logged, type LogParts } from "./log.ts";

/** Entries that share one sync. More would make the first of them wait for long. */
const groupSize = 256;

/** Groups that are written while an earlier one is being synced; they then share the next sync. */
const groupsUnderWay = 4;

/** In a burst of entries, save points follow each other at least this far apart. Readers miss nothing: they save first. */
const savePauseMs = 250;

interface Written {
  answers: BatchAnswer[];
  isSaveDue: boolean;
}

/** `text` is null for a line that was too long to be held. */
interface Line {
  number: number;
  text: string | null;
}

type Ready = { number: number; entry: CheckedEntry } | { number: number; problem: ClewError };

/**
 * Logs JSON lines as they come. Lines that wait together are written and synced together; a refused line changes
 * nothing, and the others are kept. Answers come once the entry is on disk.
 */
export async function* logBatch(
  log: LogParts,
  sessionId: string,
  portions: AsyncIterable<(string | null)[]>,
  nowMs: () => number,
): AsyncGenerator<BatchAnswer[]> {
  let number = 0;
  const underWay: Promise<Written>[] = [];
  let isSaveDue = false;
  let savedMs = 0;
  const next = async (): Promise<BatchAnswer[]> => {
    const written = await underWay.shift()!;
    isSaveDue ||= written.isSaveDue;
    return written.answers;
  };
  for await (const portion of portions) {
    const lines = portion.map((text): Line => ({ number: ++number, text })).filter(({ text }) => text?.trim() !== "");
    for (let at = 0; at < lines.length; at += groupSize) {
      const group = lines.slice(at, at + groupSize).map(read);
      // Some take several steps; nothing may come between them, or before them.
      const room = group.some(takesSteps) ? 1 : groupsUnderWay;
      while (underWay.length >= room) yield await next();
      const writing = write(log, sessionId, group);
      writing.catch(() => undefined);
      underWay.push(writing);
      if (room === 1) yield await next();
    }
    // No further lines are here yet, so that a caller that waits for answers gets them now.
    while (underWay.length > 0) yield await next();
    if (isSaveDue && nowMs() - savedMs > savePauseMs) {
      await saveSession(log.sessions, sessionId);
      isSaveDue = false;
      savedMs = nowMs();
    }
  }
  if (isSaveDue) await saveSession(log.sessions, sessionId);
}

function takesSteps(ready: Ready): boolean {
  return "problem" in ready || ready.entry.kind === "subagent" || takesAuthority(ready.entry);
}

function read({ number, text }: Line): Ready {
  try {
    if (text === null) throw new ClewError("invalid_input", "the line is too long", "an entry has at most 8 MB");
    return { number, entry: checkEntry(parseJson(text)) };
  } catch (error) {
    if (error instanceof ClewError) return { number, problem: error };
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ClewError(
      "invalid_input",
      `not JSON: ${(error as Error).message}`,
      'one entry a line, such as {"kind":"decision","text":"Use SQLite"}',
    );
  }
}

/** Waits for nothing before the first entries are handed over, unless one of the group takes steps: so groups keep their order. */
async function write(log: LogParts, sessionId: string, group: Ready[]): Promise<Written> {
  const answers: BatchAnswer[] = [];
  let isSaveDue = false;
  let batch: { number: number; entry: Exclude<CheckedEntry, LoggedSubagent> }[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const result = await logEntries(
      log,
      sessionId,
      batch.map(({ entry }) => entry),
    );
    isSaveDue ||= result.isSaveDue;
    batch.forEach(({ number }, index) => answers.push(acknowledged(number, result.logged[index]!)));
    batch = [];
  };
  for (const each of group) {
    // An answer may be to a question of a line above it.
    if ("entry" in each && each.entry.kind === "answer") await flush();
    const ready = takesSteps(each) ? await withoutForeignEntry(log, sessionId, each) : each;
    if ("problem" in ready) {
      await flush();
      answers.push({ line: ready.number, ...withLine(ready.number, ready.problem).toJSON() });
    } else if (ready.entry.kind === "subagent") {
      await flush();
      answers.push(await one(log, sessionId, ready.number, ready.entry));
    } else batch.push({ number: ready.number, entry: ready.entry });
  }
  await flush();
  return { answers, isSaveDue };
}

async function withoutForeignEntry(log: LogParts, sessionId: string, ready: Ready): Promise<Ready> {
  if ("problem" in ready) return ready;
  try {
    await refuseForeignEntry(log, sessionId, ready.entry);
    return ready;
  } catch (error) {
    if (error instanceof ClewError) return { number: ready.number, problem: error };
    throw error;
  }
}

/** What is wrong with one line is that line's answer; what is wrong with the session ends the batch. */
async function one(log: LogParts, sessionId: string, line: number, entry: CheckedEntry): Promise<BatchAnswer> {
  try {
    return acknowledged(line, await logEntry(log, sessionId, entry));
  } catch (error) {
    if (error instanceof RefusedSubagent) return { line, ...withLine(line, error).toJSON() };
    throw error;
  }
}

function acknowledged(line: number, { id }: Logged): BatchAnswer {
  return id === undefined ? { line, ok: true } : { line, ok: true, id };
}

function withLine(line: number, { code, message, hint, cause }: ClewError): ClewError {
  return new ClewError(code, `line ${line}: ${message}`, hint, { cause });
}
