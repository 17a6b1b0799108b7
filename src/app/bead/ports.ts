import type { BeadLine } from "../../bead/read-import.ts";
import type { UnreadableBead } from "../../contract/api/bead-shapes.ts";
import type { Bead } from "../../contract/bead.ts";

export interface BeadList {
  beads: Bead[];
  unreadable: UnreadableBead[];
}

/** The beads as they are under the lock. */
export interface KnownBeads {
  /** All ids that ever were, deleted ones too. */
  ids: ReadonlySet<string>;
  /** What new ids begin with; `warning` when a person asked for something that cannot be. */
  prefix(): { prefix: string; warning: string | undefined };
  all(): Bead[];
  deleted(): ReadonlySet<string>;
}

export interface BeadReader {
  /** Where that is, as a person knows it: `.beads/issues.jsonl`, or a database. */
  readonly place: string;
  find(id: string): Bead | undefined;
  /**
   * The bead, all that it depends on, directly or over others, and all that depend on it, in the order of `all`. There may be
   * more among them; the bead itself is missing when `all` has it not.
   */
  around(id: string): Bead[];
  ids(): string[];
  /** All beads, in the order of the file; later lines of an id win; no tombstones. `unreadable` names damaged lines. */
  all(): BeadList;
  /** The tombstones of deleted beads, by id. */
  deleted(): ReadonlyMap<string, Bead>;
}

/** Beads where they are kept. */
export interface BeadStore extends BeadPlace {
  /**
   * Another text whenever beads were changed by this process, in the file, or are kept by another. What others did to a
   * database it does not tell. Throws nothing.
   */
  readonly changes: string;
  /** Throws when beads cannot be written, as far as that can be told without a process. */
  refuseUnwritable(): Promise<void>;
}

/** One of the places where beads may be kept: the file, or a database behind it. */
export interface BeadPlace extends BeadReader {
  /** The very text of each line that counts: beads, deleted ones, other records. */
  lines(): string[];
  /**
   * Changes one bead under the lock; on disk when it resolves. Returns the bead as it is then. Throws unknown_bead.
   * `change` may return the same object: then nothing is written.
   */
  change(id: string, change: (bead: Bead, known: KnownBeads) => Bead): Promise<Bead>;
  /** Adds a bead under the lock; `make` sees what there is. The id that it chose may not be the one that it gets. */
  add(make: (known: KnownBeads) => Bead): Promise<Bead>;
  /** Puts many beads in, in one write: over the line of the same id, or as new lines. Values keep their line's letters. */
  put(choose: (known: KnownBeads) => BeadLine[]): Promise<void>;
  /** Leaves a tombstone where the bead was, and gives it. Throws unknown_bead, and where only another program deletes. */
  remove(id: string, bury: (bead: Bead) => Bead): Promise<Bead>;
  /**
   * Makes it known that a run of ours begins with the bead. Throws when another has it; nothing to do in a file. What had
   * no assignee before is told to `note`: first an empty text, then the mark of the bead as the claim left it.
   */
  claim(id: string, note: (mark: string) => void): Promise<void>;
  /**
   * No run came of a claim: opens the bead again, when it still is as the claim left it. What a person made of it since
   * stays. `unclear` when it cannot be told whether it was the claim or a person.
   */
  giveBack(id: string, mark: string): Promise<"given" | "kept" | "unclear">;
  /** Brings what is read up to date where a program has to be asked. What fails is thrown by the next reading. */
  refresh(): Promise<void>;
}
