import { Damaged, readBlock } from "../../session/frontmatter/frontmatter.ts";
import { settingsToRestore, type Live } from "../../session/write-ahead-copy.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import { entriesIn, reconcile, type Reconciliation } from "../../session/reconcile.ts";

/** The content of a git blob; undefined when git does not have it. */
export type ReadBlob = (blob: string) => Buffer | undefined;

/** What was acknowledged and is not in a session's text. */
export interface LostChanges extends Reconciliation {
  /** Frontmatter that a command set and the text no longer has. */
  lostSettings: Record<string, unknown>;
}

/** The text that session.md had when its copy began; undefined when there is none, or git no longer has it. */
export function baseText({ base }: Live, readBlob: ReadBlob): string | undefined {
  return base?.blob === undefined ? base?.head : readBlob(base.blob)?.toString("utf8");
}

/**
 * Compares a session's text with its copy. Entries from before the copy began count only when the text lacks something
 * that came later: then it is an older text. Otherwise a person changed them.
 *
 * The copy has no secrets in those entries, so that `redact` is applied to the text before they are compared. Without it,
 * an entry with a secret counts as missing.
 */
export function findMissing(
  body: string,
  values: Record<string, unknown>,
  live: Live,
  readBlob: ReadBlob,
  redact?: (text: string) => string,
): LostChanges {
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
