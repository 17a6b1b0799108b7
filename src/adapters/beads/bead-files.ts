import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BeadPlace, KnownBeads } from "../../app/bead-port.ts";
import { commonPrefix, safePrefix } from "../../bead/bead-id.ts";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import {
  appendLines,
  beadsIn,
  checkWritable,
  eachLine,
  findLine,
  idsIn,
  readLine,
  replaceLines,
  shownFile,
  textOf,
  type PlacedBead,
} from "./bead-lines.ts";
import { issuesFile, issuesFileAt } from "./issues-file.ts";
import { spliceMembers } from "./splice-members.ts";

interface FileParts {
  disk: Disk;
  root: string;
  locks: () => Promise<Locks>;
}

/** Beads in `.beads/issues.jsonl`: read anew under the lock, one line replaced, the file written aside and renamed. */
export function beadFiles({ disk, root, locks }: FileParts): BeadPlace {
  const file = issuesFileAt(disk, root);
  const exclusively = async <T>(work: () => T): Promise<T> => (await locks()).with("beads", work);
  const write = (bytes: Buffer): void => {
    const path = file.path();
    disk.makeFolder(dirname(path));
    removeLeftovers(disk, path);
    disk.replace(path, bytes);
  };
  return {
    ...issuesFile(disk, root),
    all: () => beadsIn(file.read()),
    change: (id, change) =>
      exclusively(() => {
        const bytes = file.read();
        const placed = findLine(bytes, id);
        if (!placed || placed.bead.status === tombstone) throw unknownBead(id);
        const after = change(placed.bead, knownIn(bytes, root));
        if (after !== placed.bead) write(replaceLines(bytes, [{ ...placed, text: newText(bytes, placed, after) }]));
        return after;
      }),
    add: (make) =>
      exclusively(() => {
        const bytes = file.read();
        const bead = make(knownIn(bytes, root));
        write(appendLines(bytes, [JSON.stringify(bead)]));
        return bead;
      }),
    put: (choose) =>
      exclusively(() => {
        const bytes = file.read();
        const chosen = new Map(choose(knownIn(bytes, root)).map((bead) => [bead.id, bead]));
        if (chosen.size > 0) write(withBeads(bytes, chosen));
      }),
  };
}

/** What a writer left that was killed. Under the lock nobody else is writing aside. */
function removeLeftovers(disk: Disk, path: string): void {
  const folder = dirname(path);
  for (const name of disk.list(folder)) {
    const isAside = name.startsWith(`.${basename(path)}.`) && /\.\d+\.new$/.test(name);
    if (isAside) disk.remove(join(folder, name));
  }
}

export function unknownBead(id: string): ClewError {
  return new ClewError("unknown_bead", `there is no bead ${id} in ${shownFile}`, "clew bead list shows what there is");
}

function newText(bytes: Buffer, placed: PlacedBead, after: Bead): string {
  checkWritable(bytes, placed);
  return spliceMembers(textOf(bytes, placed), placed.bead, after);
}

/** Each over the last line of its id, or as a new line. */
function withBeads(bytes: Buffer, chosen: Map<string, Bead>): Buffer {
  const last = new Map<string, PlacedBead>();
  for (const place of eachLine(bytes)) {
    const line = readLine(bytes, place);
    if (line.kind === "bead" && chosen.has(line.bead.id)) last.set(line.bead.id, { ...place, bead: line.bead });
  }
  const replaced = replaceLines(
    bytes,
    [...last].map(([id, placed]) => ({ ...placed, text: newText(bytes, placed, chosen.get(id)!) })),
  );
  const added = [...chosen].flatMap(([id, bead]) => (last.has(id) ? [] : [JSON.stringify(bead)]));
  return appendLines(replaced, added);
}

/** Most changes look at nothing else, so that nothing else is read before it is asked for. */
export function knownIn(bytes: Buffer, root: string): KnownBeads {
  let ids: Set<string> | undefined;
  let all: Bead[] | undefined;
  return {
    get ids() {
      return (ids ??= new Set(idsIn(bytes)));
    },
    get prefix() {
      return configuredPrefix(root) ?? commonPrefix(this.ids) ?? safePrefix(basename(root));
    },
    find(id) {
      const bead = findLine(bytes, id)?.bead;
      return bead?.status === tombstone ? undefined : bead;
    },
    all: () => (all ??= beadsIn(bytes).beads),
  };
}

/** What a person set for `bd` counts for us too. */
function configuredPrefix(root: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, ".beads", "config.yaml"), "utf8");
  } catch {
    return undefined;
  }
  const prefix = /^issue-prefix:\s*(["']?)([A-Za-z0-9][A-Za-z0-9_-]{0,39})\1\s*(?:#.*)?$/m.exec(text)?.[2];
  return prefix?.replace(/-+$/, "");
}
