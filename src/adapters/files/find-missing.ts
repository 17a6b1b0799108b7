import { Damaged, readBlock } from "../../session/frontmatter/frontmatter.ts";
import { settingsToRestore, type Live } from "../../session/live.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import { entriesIn, reconcile, type Reconciliation } from "../../session/reconcile.ts";

/** Content that git holds, by its name; undefined when git does not have it. */
export type ReadBlob = (blob: string) => Buffer | undefined;

/** What was acknowledged and does not stand in a session's text. */
export interface Missing extends Reconciliation {
  /** Frontmatter that a command set and the text no longer shows. */
  lostSettings: Record<string, unknown>;
}

/** The text that session.md had when its copy began; undefined when there is none, or git no longer has it. */
export function baseText({ base }: Live, readBlob: ReadBlob): string | undefined {
  return base?.blob === undefined ? base?.head : readBlob(base.blob)?.toString("utf8");
}

interface Parts {
  readBlob: ReadBlob;
  /**
   * What the copy says of a time before it began is without secrets, so that the text has to be compared without them.
   * Left out, an entry with a secret in it counts as missing.
   */
  redact?: (text: string) => string;
}

/**
 * Compares a session's text with its copy. What stood there before the copy began counts only where the text lacks
 * something that came later: then it is an older text. Else a person wrote it over.
 */
export function findMissing(
  body: string,
  values: Record<string, unknown>,
  live: Live,
  { readBlob, redact }: Parts,
): Missing {
  const lostSettings = settingsToRestore(live.sets, values);
  const reconciliation = reconcile(body, live.entries);
  const isOlder =
    Object.keys(lostSettings).length > 0 ||
    (reconciliation.missing.length > 0 && reconciliation.missing.length === live.entries.length);
  const baseEntries = isOlder ? entriesIn(bodyOf(baseText(live, readBlob) ?? "")) : [];
  return {
    ...(baseEntries.length > 0 ? reconcile(body, [...baseEntries, ...live.entries], redact) : reconciliation),
    lostSettings,
  };
}

function bodyOf(text: string): string {
  try {
    return normaliseLineEnds(text.slice(readBlock(text).length));
  } catch (error) {
    if (error instanceof Damaged) return "";
    throw error;
  }
}
