import * as z from "zod/mini";
import { join } from "node:path";
import type {
  CommandProcess,
  FileWrite,
  TurnJournal,
  TurnJournals,
  WorkFiles,
} from "../../app/turn/execution/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { assumeRedacted, ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import {
  turnDeeds,
  turnJournalLine,
  type KeptFile,
  type PlannedChange,
  type TurnDeed,
  type TurnJournalLine,
} from "../../contract/turn-journal.ts";
import { attempt } from "../../text/attempt.ts";
import { isTurnName } from "../../turn/names.ts";
import type { Disk } from "../files/disk.ts";
import { replacement, type Layout } from "../layout.ts";
import { executionPaths } from "../layout/execution-paths.ts";
import { turnPaths } from "../layout/turn-paths.ts";
import { cleanUpAfter } from "../shell/survivors.ts";
import { systemIds } from "../system/system.ts";
import { applyBatch, isAsApplied, isAsBefore, takeBackBatch, type FileBatch } from "./file-batch.ts";
import { keptContents } from "./kept-contents.ts";
import { makePrivateFolder } from "./private-folder.ts";

interface Parts {
  disk: Disk;
  layout: Layout;
  files: WorkFiles;
}

const underWay = z.object({ turn: z.string().check(z.refine(isTurnName)), deed: z.enum(turnDeeds) });

/** The journals of turns, in the git folder. */
export function turnJournals(parts: Parts): TurnJournals {
  const { disk, layout } = parts;
  const readUnderWay = (session: string): z.infer<typeof underWay> | undefined => {
    const bytes = disk.read(executionPaths.underWay(layout, session));
    return bytes && attempt(() => underWay.parse(JSON.parse(bytes.toString("utf8"))), undefined);
  };
  const of = (session: string, turn: string): FileTurnJournal =>
    new FileTurnJournal(parts, executionPaths.turn(layout, session, turn));
  return {
    of,
    underWay: readUnderWay,
    begin(session, turn, deed, at) {
      makePrivateFolder(executionPaths.turn(layout, session, turn));
      const journal = of(session, turn);
      removeLeftovers(disk, turnPaths.journals(layout, session));
      // In this order: what is said to be under way is the last deed of the journal, and nothing earlier is taken back for it.
      journal.begin(deed, at);
      disk.replace(executionPaths.underWay(layout, session), Buffer.from(JSON.stringify({ turn, deed })), 0o600);
      return journal;
    },
    over: (session) => disk.remove(executionPaths.underWay(layout, session)),
  };
}

/** What killed processes wrote aside; only a process that holds the session's lock writes here. */
function removeLeftovers(disk: Disk, folder: string): void {
  for (const name of disk.list(folder)) if (replacement.read(name)) disk.remove(join(folder, name));
}

class FileTurnJournal implements TurnJournal {
  readonly #parts: Parts;
  readonly #folder: string;
  readonly #contents: ReturnType<typeof keptContents>;

  constructor(parts: Parts, folder: string) {
    this.#parts = parts;
    this.#folder = folder;
    this.#contents = keptContents(folder);
  }

  /** A torn last line is what a crash left of an append that was not acknowledged. */
  lines(): TurnJournalLine[] {
    const path = executionPaths.journal(this.#folder);
    const texts = (this.#parts.disk.read(path)?.toString("utf8") ?? "").split("\n");
    texts.pop();
    return texts.map((text, at) => {
      const read = attempt(() => turnJournalLine.parse(JSON.parse(text)), undefined);
      if (read) return read;
      throw new ClewError("unreadable_file", `line ${at + 1} of ${path} cannot be read`, "move the file aside");
    });
  }

  begin(deed: TurnDeed, at: string): void {
    this.#append(ofRedactedParts({ v: 1, type: "begun", at, deed }));
  }

  commandStarted(action: number, command: Redacted<string>, process: CommandProcess, at: string): void {
    // What the system and the program itself gave.
    this.#append(ofRedactedParts({ v: 1, type: "command", at, action, command, process: assumeRedacted(process) }));
  }

  commandEnded(action: number, exitCode: number | null, at: string): void {
    this.#append(ofRedactedParts({ v: 1, type: "command_ended", at, action, exit_code: exitCode }));
  }

  /** On disk when it returns. */
  #append(line: Redacted<TurnJournalLine>): void {
    const { disk } = this.#parts;
    const path = executionPaths.journal(this.#folder);
    this.#cutTornLine(path);
    disk.append(path, Buffer.from(`${JSON.stringify(turnJournalLine.parse(line))}\n`), 0o600);
    disk.syncNow(path);
  }

  #cutTornLine(path: string): void {
    const { disk } = this.#parts;
    const bytes = disk.read(path);
    if (bytes && bytes.length > 0 && bytes.at(-1) !== 10) disk.truncate(path, bytes.lastIndexOf(10) + 1);
  }

  apply(writes: FileWrite[], at: string): void {
    for (const { before, after } of writes) for (const each of [before, after]) if (each) this.#contents.keep(each);
    this.#contents.sync();
    const batch = {
      changes: writes.map(({ path, before, after }) => ({
        path,
        before: keptFileOf(before),
        after: keptFileOf(after),
      })),
      folders: this.#missingFolders(writes),
      word: systemIds.random(8),
    };
    const number = this.lines().filter(({ type }) => type === "batch").length;
    // Paths stand here as they are on the disk: without them nothing could be taken back. The file is the user's alone.
    this.#append(assumeRedacted({ v: 1, type: "batch", at, batch: number, ...batch }));
    try {
      applyBatch(this.#place(), batch);
    } catch (error) {
      // Otherwise the next command takes it back: the batch stays open.
      if (isAsBefore(this.#place(), batch))
        this.#append(ofRedactedParts({ v: 1, type: "taken_back", at, batch: number, kept: assumeRedacted([]) }));
      throw error;
    }
    this.#append(ofRedactedParts({ v: 1, type: "applied", at, batch: number }));
  }

  content(sha256: string): Uint8Array | undefined {
    return this.#contents.read(sha256);
  }

  keep(content: { bytes: Uint8Array; sha256: string }): void {
    this.#contents.keep(content);
    this.#contents.sync();
  }

  changes(deed: TurnDeed): PlannedChange[] {
    const byPath = new Map<string, PlannedChange>();
    for (const { changes } of this.#batches(deed).filter(({ state }) => state === "applied"))
      for (const change of changes)
        byPath.set(change.path, { ...change, before: (byPath.get(change.path) ?? change).before });
    return [...byPath.values()];
  }

  async takeBack(deed: TurnDeed, at: string): Promise<{ restored: string[]; kept: string[]; commands: string[] }> {
    const lines = this.#since();
    const [first] = lines;
    if (first?.type !== "begun" || first.deed !== deed) return { restored: [], kept: [], commands: [] };
    const commands = lines.flatMap((line) => (line.type === "command" ? [line] : []));
    await cleanUpAfter(commands.map(({ process }) => process));
    this.#contents.removeLeftovers();
    const restored = new Set<string>();
    const kept: string[] = [];
    for (const batch of this.#batches().toReversed()) {
      if (batch.state === "taken_back") continue;
      // What a whole batch made is left whole when another program has gone on with a part of it.
      if (batch.state === "applied" && !isAsApplied(this.#place(), batch)) {
        kept.push(...batch.changes.map(({ path }) => path));
        break;
      }
      const outcome = takeBackBatch(this.#place(), batch);
      outcome.restored.forEach((path) => restored.add(path));
      kept.push(...outcome.kept);
      this.#append(assumeRedacted({ v: 1, type: "taken_back", at, batch: batch.batch, kept: outcome.kept }));
      if (outcome.kept.length > 0) break;
    }
    return { restored: [...restored], kept: [...new Set(kept)], commands: commands.map(({ command }) => command) };
  }

  /** The lines of the last deed, or of the last one of a kind. */
  #since(deed?: TurnDeed): TurnJournalLine[] {
    const lines = this.lines();
    const start = lines.findLastIndex((line) => line.type === "begun" && (deed === undefined || line.deed === deed));
    if (start < 0) return [];
    const end = lines.findIndex((line, index) => index > start && line.type === "begun");
    return lines.slice(start, end < 0 ? undefined : end);
  }

  #batches(deed?: TurnDeed): (FileBatch & { batch: number; state: "begun" | "applied" | "taken_back" })[] {
    const lines = this.#since(deed);
    return lines.flatMap((line) => {
      if (line.type !== "batch") return [];
      const last = lines.findLast((each) => "batch" in each && each.batch === line.batch)!.type;
      return [{ ...line, state: last === "applied" || last === "taken_back" ? last : "begun" }];
    });
  }

  /** Folders above new files that are not there, the upper ones first. */
  #missingFolders(writes: FileWrite[]): string[] {
    const folders = new Set<string>();
    for (const { path, before, after } of writes) {
      if (before !== null || after === null) continue;
      const names = path.split("/").slice(0, -1);
      for (let depth = 1; depth <= names.length; depth++) folders.add(names.slice(0, depth).join("/"));
    }
    return [...folders].filter((folder) => this.#parts.files.folderProblem(folder) !== undefined);
  }

  #place(): Parameters<typeof applyBatch>[0] {
    const { layout, files } = this.#parts;
    return { root: layout.root, files, content: (sha256) => this.#contents.get(sha256) };
  }
}

function keptFileOf(file: FileWrite["before"]): KeptFile | null {
  return file === null ? null : { sha256: file.sha256, mode: file.mode };
}
