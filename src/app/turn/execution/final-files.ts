import type { FileChange } from "../../../contract/turn.ts";
import type { FileWrite, TurnJournal, WorkFiles } from "./ports.ts";

/**
 * What a turn leaves of the files that it changed. A command of the same turn may go on with them, and that is the turn's, too. What
 * another program does to them between two commands is not: from then on, the file is left as the turn had it last, so that undoing it is
 * refused.
 */
export class FinalFiles {
  readonly #files: Pick<WorkFiles, "look">;
  readonly #journal: TurnJournal;
  /** The hash of what the turn left last, by path; null where it left no file. */
  readonly #hashes = new Map<string, string | null>();
  readonly #others = new Set<string>();

  constructor(files: Pick<WorkFiles, "look">, journal: TurnJournal) {
    this.#files = files;
    this.#journal = journal;
  }

  applied(writes: readonly FileWrite[]): void {
    for (const { path, after } of writes) {
      this.#hashes.set(path, after?.sha256 ?? null);
      // It was shown and approved as it stood then.
      this.#others.delete(path);
    }
  }

  beforeCommand(): void {
    for (const [path, left] of this.#hashes) if (this.#look(path) !== left) this.#others.add(path);
  }

  afterCommand(): void {
    for (const path of this.#hashes.keys()) {
      if (this.#others.has(path)) continue;
      const now = this.#files.look(path);
      if (now.kind === "file") this.#journal.keep(now);
      if (now.kind !== "refused") this.#hashes.set(path, now.kind === "file" ? now.sha256 : null);
    }
  }

  changes(): FileChange[] {
    return this.#journal.changes("execute").flatMap(({ path, before, after }) => {
      const first = before?.sha256 ?? null;
      const left = this.#hashes.has(path) ? this.#hashes.get(path)! : (after?.sha256 ?? null);
      return first === left ? [] : [{ path, before: first, after: left }];
    });
  }

  /** Undefined for what is no plain file now. */
  #look(path: string): string | null | undefined {
    const now = this.#files.look(path);
    if (now.kind === "refused") return undefined;
    return now.kind === "file" ? now.sha256 : null;
  }
}
