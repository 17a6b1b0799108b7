import { ClewError } from "../../../contract/errors.ts";
import type { FileChange } from "../../../contract/turn.ts";
import { unifiedDiff } from "../../../text/unified-diff.ts";
import { turnBefore } from "../../../turn/names.ts";
import { turnName, lineAbout } from "./find-turn.ts";
import type { ExecutionParts } from "./parts.ts";

interface TurnsDiff {
  session_id: string;
  a: string;
  b: string;
  plan: string;
  report: string;
  files: { path: string; diff: string }[];
}

/** How two turns differ. With one turn, it is compared with the one before it in its line. */
export async function diffTurns(
  parts: ExecutionParts,
  { session: name, a: first, b: second }: { session?: string | undefined; a: string; b?: string | undefined },
): Promise<TurnsDiff> {
  const session = await parts.find(name);
  const [a, b] = turnsOf(parts, session, first, second);
  const text = (turn: string, file: string): string | undefined => {
    const bytes = parts.store.read(session, turn, file);
    return bytes && new TextDecoder().decode(bytes);
  };
  const between = (file: string): string =>
    unifiedDiff(text(a, file), text(b, file), { before: `${a}/${file}`, after: `${b}/${file}` });
  return {
    session_id: session,
    a,
    b,
    plan: between("plan.md"),
    report: between("report.md"),
    files: fileDiffs(parts, session, a, b),
  };
}

function turnsOf(parts: ExecutionParts, session: string, first: string, second: string | undefined): [string, string] {
  const one = turnName(parts, session, first);
  if (second !== undefined) return [one, turnName(parts, session, second)];
  const before = turnBefore(one);
  if (before !== null) return [turnName(parts, session, before), one];
  const message = `turn ${one} is the first of its line, and there is none before it to compare it with`;
  throw new ClewError("not_possible_now", message, `clew session diff ${one} OTHER -s ${session}`);
}

/** The files that either turn left otherwise than the other, as each of them left them. */
function fileDiffs(parts: ExecutionParts, session: string, a: string, b: string): TurnsDiff["files"] {
  const lines = parts.store.lines(session);
  const changes = (turn: string): FileChange[] => lineAbout(lines, turn, "executed")?.files ?? [];
  const [ofA, ofB] = [changes(a), changes(b)];
  const paths = [...new Set([...ofA, ...ofB].map(({ path }) => path))].sort();
  return paths.flatMap((path) => {
    // What only one of them changed is compared with what that one found.
    const before = sideOf(path, ofA, ofB);
    const after = sideOf(path, ofB, ofA);
    if (before === after) return [];
    const [old, now] = [contentOf(parts, session, [a, b], before), contentOf(parts, session, [a, b], after)];
    const diff = unifiedDiff(old, now, { before: `${a}/${path}`, after: `${b}/${path}` });
    return [{ path, diff }];
  });
}

function sideOf(path: string, own: FileChange[], other: FileChange[]): string | null {
  const change = own.find((each) => each.path === path);
  if (change) return change.after;
  return other.find((each) => each.path === path)?.before ?? null;
}

function contentOf(
  { journals }: ExecutionParts,
  session: string,
  turns: string[],
  sha256: string | null,
): string | undefined {
  if (sha256 === null) return undefined;
  for (const turn of turns) {
    const bytes = journals.of(session, turn).content(sha256);
    if (bytes) return new TextDecoder().decode(bytes);
  }
  return `[what it held, ${sha256.slice(0, 12)}, is not kept on this machine]\n`;
}
