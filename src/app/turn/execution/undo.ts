import { ClewError } from "../../../contract/errors.ts";
import type { FileChange } from "../../../contract/turn.ts";
import { redactValue } from "../../../redact/redact-value.ts";
import { refuseDeedFromStep } from "./authority.ts";
import { branchAgain, lineAbout, turnName } from "./find-turn.ts";
import type { ExecutionParts } from "./parts.ts";
import { FilesChanged, type FileContent, type FileWrite, type TurnJournal } from "./ports.ts";
import { withTurns } from "./with-turns.ts";

export interface UndoneTurn {
  session_id: string;
  turn: string;
  files: { path: string; change: "restored" | "removed" }[];
  undone: boolean;
}

/** Takes back what a turn made of files: all of it, or nothing. Throws a ClewError that names what is in the way. */
export async function undoTurn(
  parts: ExecutionParts,
  {
    session: name,
    turn: given,
    dry_run: isDry = false,
  }: { session?: string | undefined; turn: string; dry_run?: boolean | undefined },
): Promise<UndoneTurn> {
  refuseDeedFromStep(await parts.caller(), "undone");
  const session = await parts.find(name);
  return withTurns(parts, session, async () => {
    const turn = turnName(parts, session, given);
    const changes = changesToUndo(parts, session, turn);
    refuseChanged(parts, turn, changes);
    const journal = parts.journals.of(session, turn);
    const writes = changes.map((change) => writeOf(parts, journal, change));
    const files = changes.map(({ path, before }) => ({
      path,
      change: before === null ? ("removed" as const) : ("restored" as const),
    }));
    if (isDry) return { session_id: session, turn, files, undone: false };
    takeBack(parts, { session, turn, writes });
    await parts.project(session);
    return { session_id: session, turn, files, undone: true };
  });
}

function takeBack(
  parts: ExecutionParts,
  { session, turn, writes }: { session: string; turn: string; writes: FileWrite[] },
): void {
  const { store, journals, time, redact } = parts;
  const at = new Date(time.now()).toISOString();
  const journal = journals.begin(session, turn, "undo", at);
  try {
    if (writes.length > 0) journal.apply(writes, at);
  } catch (error) {
    journals.over(session);
    throw error instanceof FilesChanged ? changedSince(turn, error.paths) : error;
  }
  const files = writes.map(({ path, before, after }) => ({
    path,
    before: before?.sha256 ?? null,
    after: after?.sha256 ?? null,
  }));
  store.append(session, redactValue({ v: 1, type: "undone", turn, at, files } as const, redact));
  journals.over(session);
}

/** Throws when there is nothing to undo, or when it was done already. */
function changesToUndo({ store }: ExecutionParts, session: string, turn: string): FileChange[] {
  const lines = store.lines(session);
  const executed = lineAbout(lines, turn, "executed");
  if (!executed) {
    const hint = `clew session execute ${turn} -s ${session}`;
    throw new ClewError("not_possible_now", `turn ${turn} was not executed: there is nothing to undo`, hint);
  }
  if (lineAbout(lines, turn, "undone")) {
    throw new ClewError("not_possible_now", `turn ${turn} was undone already`, branchAgain(session, turn));
  }
  if (executed.files.length === 0) {
    const hint = "what commands did is not taken back";
    throw new ClewError("not_possible_now", `turn ${turn} changed no file: there is nothing to undo`, hint);
  }
  return executed.files;
}

/** All files have to be as the turn left them. */
function refuseChanged({ files }: ExecutionParts, turn: string, changes: FileChange[]): void {
  const changed = changes.filter(({ path, after }) => {
    const now = files.look(path);
    return (now.kind === "file" ? now.sha256 : now.kind === "missing" ? null : undefined) !== after;
  });
  if (changed.length > 0)
    throw changedSince(
      turn,
      changed.map(({ path }) => path),
    );
}

function writeOf({ files }: ExecutionParts, journal: TurnJournal, { path, before }: FileChange): FileWrite {
  const now = files.look(path);
  const kept = before === null ? undefined : journal.content(before);
  if (before !== null && kept === undefined) {
    const hint = "git may have it; what files held before is kept on the machine that executed the turn";
    throw new ClewError("not_possible_now", `what ${path} held before is not kept any more`, hint);
  }
  const mode = journal.changes("execute").find((each) => each.path === path)?.before?.mode ?? files.newFileMode;
  const old: FileContent | null = before === null || !kept ? null : { bytes: kept, sha256: before, mode };
  return { path, before: now.kind === "file" ? now : null, after: old };
}

function changedSince(turn: string, paths: string[]): ClewError {
  const message = `${paths.join(", ")} changed since turn ${turn}, and nothing was undone`;
  return new ClewError("not_possible_now", message, "undo what came later first, or take it back with git");
}
