import type { CaseCounts, CaseSelection, LearningCase, ExcludedCase } from "../../contract/api/learn.ts";
import { ClewError } from "../../contract/errors.ts";
import type { ExclusionReason } from "../../contract/learn-values.ts";
import type { Redact, Redacted } from "../../contract/redacted.ts";
import type { Entry } from "../../contract/session.ts";
import { findCases, mayTeach, type CaseFilter } from "../../learn/cases/find-cases.ts";
import { KnownCases } from "../../learn/cases/known-cases.ts";
import { PlacedSession } from "../../learn/cases/placed-session.ts";
import { firstWords } from "../../learn/cases/short-entry.ts";
import { redactTexts, redactValue } from "../../redact/redact-value.ts";
import { unreadableCodes } from "../session/indexed-session.ts";
import type { RecordText } from "../session/ports.ts";
import { interruptedExport } from "./exports/interrupted-export.ts";
import { excludeCase } from "./exclude-case.ts";
import type { LearnParts } from "./ports.ts";
import { entryFilter, selectSessions } from "./select-sessions.ts";

/** What comes of reading sessions one by one: memory holds one of them, and a little for each case. */
export type CaseItem = { case: Redacted<LearningCase> } | { excluded: Redacted<ExcludedCase> };

/** Progress is told after so many sessions. */
const progressEvery = 100;

/** After so many sessions, or cases of one, other work of the process has its turn. */
const readAtOnce = 4;
const casesAtOnce = 200;

interface StreamOptions {
  /** The caller decides which of several that say the same stands for them. */
  withDuplicates?: boolean;
  /** The caller keeps the cases: they then keep no text of their sessions. */
  areKept?: boolean;
  /** Ends it: the stream then throws `interrupted`. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads the sessions that are meant and gives what they teach. `counts` is up to date after each item.
 */
export async function* caseStream(
  parts: LearnParts,
  selection: CaseSelection,
  counts: CaseCounts,
  { withDuplicates = false, areKept = false, signal }: StreamOptions = {},
): AsyncGenerator<CaseItem> {
  const { ids, filtered } = await selectSessions(parts, selection);
  const redact = await parts.sessions.redact();
  for (const excluded of filtered) {
    counts.sessions++;
    countExcluded(counts, excluded.reason);
    yield { excluded: redactValue(excluded, redact) };
  }
  const known = withDuplicates ? undefined : new KnownCases();
  const filter = { type: selection.type, accepts: entryFilter(selection) };
  for (const [at, id] of ids.entries()) {
    if (at % progressEvery === progressEvery - 1) parts.progress("reading sessions", at + 1, ids.length);
    const giveWay = async (): Promise<void> => {
      await parts.giveWay();
      if (signal?.aborted) throw interruptedExport();
    };
    if (at % readAtOnce === 0) await giveWay();
    counts.sessions++;
    let inSession = 0;
    for (const item of await casesOf(parts, id, { filter, redact, known, areKept })) {
      if (++inSession % casesAtOnce === 0) await giveWay();
      if ("excluded" in item) countExcluded(counts, item.excluded.reason);
      else {
        counts[item.case.type === "puzzle" ? "puzzles" : "corrections"]++;
        if (item.case.basis === null) counts.open++;
      }
      yield item;
    }
  }
}

interface Reading {
  filter: CaseFilter;
  redact: Redact;
  known: KnownCases | undefined;
  areKept: boolean;
}

async function casesOf(parts: LearnParts, id: string, reading: Reading): Promise<Iterable<CaseItem>> {
  const record = await readOrReason(parts, id);
  if ("reason" in record) {
    const excluded: ExcludedCase = {
      session: id,
      line: null,
      type: null,
      reason: "unreadable",
      text: firstWords(record.reason),
    };
    return [{ excluded: redactValue(excluded, reading.redact) }];
  }
  return mayTeach(record, reading.filter.type) ? casesIn(parts, record, reading) : [];
}

function* casesIn(
  parts: LearnParts,
  record: RecordText,
  { filter, redact, known, areKept }: Reading,
): Generator<CaseItem> {
  const { records } = parts.sessions;
  const id = record.frontmatter.session_id;
  // The same entries stand in several cases, and each is looked through once, before it is cut.
  const seen = new Map<object, Record<string, unknown>>();
  const form = { seen, names: fieldNames };
  const redactOnce = redactEachOnce(redact);
  const redactEntry = (entry: Entry): Redacted<Entry> => {
    const redacted = redactTexts(entry, redact);
    seen.set(redacted, redacted);
    return redacted;
  };
  const place = { ...record, path: parts.shownPath(records.path(id)) };
  const session = new PlacedSession(place, { redact: redactEntry, areKept });
  session.addOutputs(() => records.results(id));
  for (const found of findCases(session, filter)) {
    if ("excluded" in found) {
      yield { excluded: redactValue(found.excluded, redactOnce) };
      continue;
    }
    const of = known?.duplicateOf(found.case);
    if (of === undefined) yield { case: redactValue(found.case, redactOnce, form) };
    else yield { excluded: redactValue(excludeCase(found.case, "duplicate", of), redactOnce) };
  }
}

/** The names of fields in cases and entries: they hold no secret. */
const fieldNames: ReadonlySet<string> = new Set(
  (
    "type id context failure before behaviour words after expected omitted basis open metadata line entry kind name args result result_full " +
    "failed cut full text resolution action agent model mode session summary content tokens title path phase at engine tools commit fixed_commit " +
    "outcome tags reason of file about until task cost_usd"
  ).split(" "),
);

/** Looks through each text once. */
function redactEachOnce(redact: Redact): Redact {
  const known = new Map<string, Redacted<string>>();
  return (text) => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
}

/** A session that cannot be read does not keep the others from being read. */
export async function readOrReason(
  { sessions: { records } }: LearnParts,
  id: string,
): Promise<RecordText | { reason: string }> {
  try {
    return await records.read(id);
  } catch (error) {
    if (!(error instanceof ClewError) || !(unreadableCodes.has(error.code) || error.code === "unknown_session"))
      throw error;
    return { reason: error.message };
  }
}

export function noCounts(): CaseCounts {
  return { sessions: 0, puzzles: 0, corrections: 0, open: 0, left_out: {} };
}

export function countExcluded({ left_out }: CaseCounts, reason: ExclusionReason): void {
  left_out[reason] = (left_out[reason] ?? 0) + 1;
}
