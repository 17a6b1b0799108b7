import { closeSync, constants, fdatasync, fstatSync, mkdirSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Redacted } from "../../contract/redacted.ts";
import { boundsOf, refuseLinkOut } from "../files/bounds.ts";
import { openRegular } from "../files/regular-file.ts";
import type { Repository } from "../git/repository.ts";
import { homeIn } from "../layout.ts";
import { hookPaths } from "../layout/hook-paths.ts";
import { maxHookFileBytes } from "./append-line.ts";
import { syncFolder } from "./sync-folder.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
/** So many at once: the disk does several nearly as fast as one, and each takes a thread of the process. */
const maxSyncs = 2;
const dataSync = promisify(fdatasync);

/** Opens the evidence of a run or session. Throws when its folder is a link that leads out of the repository. */
export function openEvidence({ root, commonDir }: Pick<Repository, "root" | "commonDir">, owner: string): EvidenceLog {
  const home = homeIn(commonDir);
  refuseLinkOut(boundsOf(root, commonDir, [], false), hookPaths.evidenceFolder(home));
  return new EvidenceLog(home, owner);
}

/** Keeps evidence of one owner, line by line. Other processes may add lines to the same file. */
class EvidenceLog {
  readonly #path: string;
  #fd: number | undefined;
  /** Each syncs what was written before it began. */
  readonly #running = new Set<Promise<void>>();
  /** Syncs what was written until then, once one of them has ended. */
  #next: Promise<void> | undefined;

  constructor(home: string, owner: string) {
    this.#path = hookPaths.evidence(home, owner);
  }

  /**
   * Adds a line, in one write at the end of the file, as `appendLine` does. Resolves when it is on disk; calls at the same time share a
   * sync. Rejects when it is not kept.
   */
  async append(line: Redacted<string>): Promise<void> {
    const fd = this.#open();
    const bytes = Buffer.from(`\n${line}\n`);
    if (fstatSync(fd).size + bytes.length > maxHookFileBytes)
      throw new Error(`${this.#path} would become longer than it may be`);
    if (writeSync(fd, bytes) < bytes.length) throw new Error(`no room on disk for ${this.#path}`);
    await this.#sync(fd);
  }

  /** When all that was added is on disk. */
  async close(): Promise<void> {
    await this.#settled();
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Anew, when the file was removed since. */
  #open(): number {
    if (this.#fd !== undefined && fstatSync(this.#fd).nlink > 0) return this.#fd;
    const folder = dirname(this.#path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const removed = this.#fd;
    this.#fd = openRegular(this.#path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CREAT, 0o600).fd;
    if (removed !== undefined) void this.#settled().then(() => closeSync(removed));
    syncFolder(folder);
    return this.#fd;
  }

  async #settled(): Promise<void> {
    await Promise.allSettled([...this.#running, this.#next]);
  }

  #sync(fd: number): Promise<void> {
    if (this.#running.size < maxSyncs) return this.#begin(fd);
    const first = Promise.race(this.#running);
    return (this.#next ??= first.then(nothing, nothing).then(() => {
      this.#next = undefined;
      // What was written to a file that is removed by now counts for nothing.
      return this.#begin(this.#fd ?? fd);
    }));
  }

  #begin(fd: number): Promise<void> {
    const running = dataSync(fd).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }
}

function nothing(): void {}
