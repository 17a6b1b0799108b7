import { trimEndOf, trimOf } from "../text/trim.ts";
/** Ids that can be a file's name and an argument: no blanks, no slashes, nothing that begins with a dash or a dot. */
export const beadIdPattern = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** What stands before the random part: `proj` of `proj-a3f` and of `proj-a3f.2`; empty when there is none. */
export function prefixOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("-")));
}

/** The prefix that most beads have; among equals the one that came first. */
export function commonPrefix(ids: Iterable<string>): string | undefined {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const prefix = prefixOf(id);
    if (prefix !== "") counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  let best: [string, number] | undefined;
  for (const each of counts) if (!best || each[1] > best[1]) best = each;
  return best?.[0];
}

/** A folder's name as a prefix. */
export function safePrefix(name: string): string {
  const words = trimOf(name.toLowerCase().replace(/[^a-z0-9]+/g, "-"), "-");
  const safe = trimEndOf(words.slice(0, 40), "-");
  return safe === "" ? "bead" : safe;
}

/** Letters that random parts are made of. */
const alphabetSize = 32;

/**
 * Long enough that two people who each make beads on a branch of their own rarely take the same id: the chance of any
 * clash among `count` random ids stays below a quarter.
 */
export function randomLength(count: number): number {
  for (let length = 3; length < 8; length++) if (count * count < alphabetSize ** length / 2) return length;
  return 8;
}

interface NewId {
  prefix: string;
  /** All ids that ever were, deleted ones too. */
  taken: ReadonlySet<string>;
  random: (length: number) => string;
}

/** An id that no bead has or had. */
export function newBeadId({ prefix, taken, random }: NewId): string {
  for (let length = randomLength(taken.size); ; length++) {
    // A length whose ids are nearly all taken must not hold us up.
    for (let attempt = 0; attempt < 20; attempt++) {
      const id = `${prefix}-${random(length)}`;
      if (!taken.has(id)) return id;
    }
  }
}

/** `parent.N`, one more than the highest that ever was, so that no id means two things over time. */
export function newChildId(parent: string, taken: ReadonlySet<string>): string {
  let highest = 0;
  for (const id of taken) {
    if (!id.startsWith(`${parent}.`)) continue;
    const number = /^\d{1,9}/.exec(id.slice(parent.length + 1))?.[0];
    if (number !== undefined) highest = Math.max(highest, Number(number));
  }
  return `${parent}.${highest + 1}`;
}
