import type { CaseCounts, CaseSelection, ExcludedCase, LearningCase } from "../../contract/api/learn.ts";
import { ClewError } from "../../contract/errors.ts";
import type { ExclusionReason } from "../../contract/learn-values.ts";
import type { Redact, Redacted } from "../../contract/redacted.ts";
import { findCases, mayTeach, type CaseFilter } from "../../learn/cases/find-cases.ts";
import { KnownCases } from "../../learn/cases/known-cases.ts";
import { PlacedSession } from "../../learn/cases/placed-session.ts";
import { hasShortResult, withWholeResults } from "../../learn/cases/with-results.ts";
import { firstWords } from "../../learn/cases/short-entry.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { ResultsByCall } from "../../session/results.ts";
import { unreadableCodes } from "../session/indexed-session.ts";
import type { RecordText } from "../session/ports.ts";
import { excludeCase } from "./exclude-case.ts";
import type { LearnParts } from "./ports.ts";
import { entryFilter, selectSessions } from "./select-sessions.ts";

/** What comes of reading sessions one by one: memory holds one of them, and a little for each case. */
export type CaseItem = { case: Redacted<LearningCase> } | { excluded: Redacted<ExcludedCase> };

/** Progress is told after so many sessions. */
const progressEvery = 100;

/**
 * Reads the sessions that are meant and gives what they teach. `counts` is up to date after each item. `withDuplicates`: the caller decides
 * which of several that say the same stands for them.
 */
export async function* caseStream(
  parts: LearnParts,
  selection: CaseSelection,
  counts: CaseCounts,
  { withDuplicates } = { withDuplicates: false },
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
    counts.sessions++;
    for (const item of await casesOf(parts, id, { filter, redact, known })) {
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

function* casesIn(parts: LearnParts, record: RecordText, { filter, redact, known }: Reading): Generator<CaseItem> {
  const { records } = parts.sessions;
  const id = record.frontmatter.session_id;
  // The same entries stand in several cases.
  const redactOnce = redactEachOnce(redact);
  const seen = new Map();
  const session = new PlacedSession({ ...record, path: parts.shownPath(records.path(id)) });
  let results: ResultsByCall | undefined;
  for (const found of findCases(session, filter)) {
    if ("excluded" in found) {
      yield { excluded: redactValue(found.excluded, redactOnce) };
      continue;
    }
    const whole = hasShortResult(found.case)
      ? withWholeResults(found.case, (results ??= records.results(id)))
      : found.case;
    const of = known?.duplicateOf(whole);
    if (of === undefined) yield { case: redactValue(whole, redactOnce, { seen }) };
    else yield { excluded: redactValue(excludeCase(whole, "duplicate", of), redactOnce) };
  }
}

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
