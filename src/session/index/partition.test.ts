import fc from "fast-check";
import { expect, test } from "vitest";
import { compareIds } from "./entry.ts";
import { partition, type IdSpan } from "./partition.ts";

interface Stretch extends IdSpan {
  ids: string[];
}
const limit = 4;
const stretch = (ids: string[]): Stretch => ({ first: ids[0] ?? "", last: ids.at(-1) ?? "", count: ids.length, ids });
const single = (ids: Iterable<string>): Stretch[] => [...ids].sort(compareIds).map((id) => stretch([id]));
const none = (): never => expect.unreachable("a single session was opened");
const cut = (ids: Iterable<string>): string[][] =>
  partition(single(ids), none, limit).map((group) => group.flatMap(({ ids: [id] }) => id ?? []));
const names = (shards: string[][]): Set<string> => new Set(shards.map((shard) => shard.join("\n")));

/** Most look like real ones, with long beginnings in common. */
const anyId = fc.oneof(
  fc
    .tuple(fc.nat(31), fc.constantFrom("fix", "fix-2", "fix-10", "add", "zebra", "0"))
    .map(([day, slug]) => `2026-01-${day}-${slug}`),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const anySet = fc.uniqueArray(anyId, { maxLength: 60 });

test("S11 shards hold all ids in order, none of them too many", () => {
  fc.assert(
    fc.property(anySet, (ids) => {
      const shards = cut(ids);
      expect(shards.flat()).toEqual([...ids].sort(compareIds));
      for (const shard of shards) expect(shard.length).toBeLessThanOrEqual(limit);
      expect(shards.every((shard) => shard.length > 0)).toBe(true);
    }),
  );
});

test("S11 stored shards with changes in between are cut like the whole set, and most stay closed", () => {
  fc.assert(
    fc.property(anySet, anySet, (before, change) => {
      const added = change.filter((id) => !before.includes(id));
      const removed = new Set(change.filter((id) => before.includes(id)));
      const spans = cut(before).flatMap((shard) =>
        shard.some((id) => removed.has(id)) ? single(shard.filter((id) => !removed.has(id))) : [stretch(shard)],
      );
      // A new id that lies within a stored shard makes the writer open it first.
      const opened = spans.flatMap((span) =>
        added.some((id) => id > span.first && id < span.last) ? single(span.ids) : [span],
      );
      const pieces = [...opened, ...single(added)].sort((a, b) => compareIds(a.first, b.first));
      const shards = partition(pieces, (span) => single(span.ids), limit);
      const after = [...before.filter((id) => !removed.has(id)), ...added];
      expect(shards.map((group) => group.flatMap((span) => span.ids))).toEqual(cut(after));
    }),
  );
});

test("S11 one more session leaves all shards but one as they are", () => {
  fc.assert(
    fc.property(anySet, anyId, (ids, id) => {
      fc.pre(!ids.includes(id));
      const [before, after] = [names(cut(ids)), names(cut([...ids, id]))];
      expect([...before].filter((shard) => !after.has(shard)).length).toBeLessThanOrEqual(1);
    }),
  );
});

test("S11 an id that is the beginning of another is set apart from it", () => {
  const ids = ["a", "a\0", "a\0\0", "a\0a", "aa", ""];
  expect(cut(ids).flat()).toEqual([...ids].sort(compareIds));
});
