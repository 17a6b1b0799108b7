import type { TurnFile, TurnStore } from "../../app/turn/ports.ts";
import { fromRedacted, type Redacted } from "../../contract/redacted.ts";
import type { TurnLine } from "../../contract/turn.ts";
import { compareTurns, isTurnName } from "../../turn/names.ts";
import type { Disk } from "../files/disk.ts";
import { withFallback } from "../files/failure.ts";
import { executionPaths } from "../layout/execution-paths.ts";
import { sha256Of } from "../layout/file-names.ts";
import type { Layout } from "../layout.ts";
import { turnPaths } from "../layout/turn-paths.ts";
import { keptContents } from "./kept-contents.ts";
import { TurnLines } from "./turn-lines.ts";

/** Many times what a turn is given to read. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * Turns as folders beside `session.md`. What is added to one is written aside and synced; then its line is appended to `turns.jsonl`, which
 * is the commit; then it is moved into its place. So a crash leaves a line whose files stand aside, or files without a line: `mend`
 * completes the first and removes the second.
 */
export function turnFolders(disk: Disk, layout: Layout): TurnStore {
  const linesOf = (session: string): TurnLines => new TurnLines(disk, turnPaths.lines(layout, session));

  function hashesIn(folder: string): Record<string, string> {
    return Object.fromEntries(
      disk
        .list(folder)
        .sort()
        .map((name) => [name, withFallback(() => hashOf(disk.read(`${folder}/${name}`, maxFileBytes)), "")]),
    );
  }

  function writeAside(session: string, turn: string, files: TurnFile[]): void {
    const aside = turnPaths.aside(layout, session, turn);
    disk.remove(aside);
    // Git may have put the session's folder away meanwhile.
    disk.makeFolder(turnPaths.session(layout, session));
    disk.makeNewFolder(aside);
    for (const { name, content } of files) {
      disk.create(turnPaths.file(aside, name), typeof content === "string" ? Buffer.from(content) : content, 0o644);
    }
  }

  function moveIntoPlace(session: string, turn: string): void {
    const aside = turnPaths.aside(layout, session, turn);
    const folder = turnPaths.turn(layout, session, turn);
    if (!isFolder(folder)) return disk.move(aside, folder);
    for (const name of disk.list(aside)) disk.move(turnPaths.file(aside, name), turnPaths.file(folder, name));
    disk.remove(aside);
  }

  function isFolder(path: string): boolean {
    return disk.list(path).length > 0 || disk.stamp(path) !== undefined;
  }

  /** Whether the last line about the turn tells of what stands aside: then it was committed. */
  function isCommitted(session: string, turn: string): boolean {
    const line = linesOf(session)
      .read()
      .findLast((each) => each.turn === turn && "hashes" in each);
    if (!line || !("hashes" in line)) return false;
    const aside = Object.entries(hashesIn(turnPaths.aside(layout, session, turn)));
    const isRecorded = aside.every(([name, hash]) => line.hashes[name] === hash);
    const isWhole = aside.length === Object.keys(line.hashes).length;
    return isRecorded && (isWhole || isFolder(turnPaths.turn(layout, session, turn)));
  }

  /** A plan as it was written, in the git folder: so a change by hand can be shown before it is executed. */
  function keepPlan(session: string, turn: string, files: TurnFile[]): void {
    const plan = files.find(({ name }) => name === "plan.md");
    if (!plan) return;
    const bytes = Buffer.from(plan.content);
    keptContents(executionPaths.turn(layout, session, turn)).keep({ bytes, sha256: sha256Of(bytes) });
  }

  return {
    lines: (session) => linesOf(session).read(),

    readableLines: (session) => linesOf(session).readable(),

    folders: (session) => disk.list(turnPaths.session(layout, session)).filter(isTurnName).sort(compareTurns),

    read: (session, turn, file) => disk.read(turnPaths.file(turnPaths.turn(layout, session, turn), file), maxFileBytes),

    hashes: (session, turn) => hashesIn(turnPaths.turn(layout, session, turn)),

    commit(session, turn, files, line) {
      writeAside(session, turn, files);
      keepPlan(session, turn, files);
      linesOf(session).append(withHashes(line, files));
      moveIntoPlace(session, turn);
    },

    append: (session, line) => linesOf(session).append(line),

    mend(session) {
      linesOf(session).mend();
      for (const name of disk.list(turnPaths.session(layout, session))) {
        const turn = turnPaths.turnOfAside(name);
        if (turn === undefined) continue;
        if (isCommitted(session, turn)) moveIntoPlace(session, turn);
        else disk.remove(turnPaths.aside(layout, session, turn));
      }
    },
  };
}

function withHashes(line: Redacted<TurnLine>, files: TurnFile[]): Redacted<TurnLine> {
  const hashes = Object.fromEntries(files.map(({ name, content }) => [name, hashOf(content)]));
  return fromRedacted(line, (each): TurnLine =>
    "hashes" in each ? { ...each, hashes: plainFiles({ ...each.hashes, ...hashes }) } : each,
  );
}

/** What somebody put there that is no plain file has no hash, and is none of the turn's. */
function plainFiles(hashes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(hashes).filter(([, hash]) => hash !== ""));
}

/** Empty for what is no plain file. */
function hashOf(bytes: Uint8Array | string | undefined): string {
  return bytes === undefined ? "" : sha256Of(bytes);
}
