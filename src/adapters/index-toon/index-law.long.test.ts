import { assumeRedacted } from "../../contract/redacted.ts";
import { join } from "node:path";
import { decode, encode } from "@toon-format/toon";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexChanges } from "../../app/session/ports.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { questionKinds, sessionKinds, statuses } from "../../contract/session-values.ts";
import { IndexDamaged } from "../../session/index/damaged.ts";
import { hostileTexts } from "../../session/index/hostile-texts.fixture.ts";
import { joinNames, joinShares } from "../../session/index/names-cell.ts";
import { type FileOps, nodeFiles } from "./file-ops.ts";
import { DeadlyFiles, filesIn, harms, inFolders, interruptedFiles, Killed } from "./harm.fixture.ts";
import { rebuild, answers, Model, questions } from "./model.fixture.ts";
import { ToonSessionIndex } from "./toon-session-index.ts";

/** Few sessions per shard, so that small examples have many shards. */
const open = (folder: string, files: FileOps = nodeFiles): ToonSessionIndex => new ToonSessionIndex(folder, files, 3);

const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "grapheme", maxLength: 12 }));
/** Few, so that changes meet the same session; neighbours share long beginnings. */
const days = ["01", "02", "09", "10"];
const slugs = ["fix", "fix-2", "fix-3", "fix-10", "add", "zebra", "0", "a-rather-long-name-for-a-session"];
const oddIds = ["a", "aa", "A", "é", "東京", "a,b", 'q"', "..", "a/b", "12", "null", " ", "-x", "#x"];
const anyId = fc.constantFrom(...days.flatMap((day) => slugs.map((slug) => `2026-01-${day}-${slug}`)), ...oddIds);
/** The same instant in several forms, neighbours, far away, and nonsense. */
const instants = ["2026-01-01T10:00:00.000Z", "2026-01-01T10:00:00Z", "2026-01-01T11:00:00.000+01:00", "no date"];
const anyInstant = fc.constantFrom(
  ...instants,
  "2026-01-01T10:00:00.001Z",
  "2025-06-30T00:00:00-05:00",
  "1960-01-01T00:00:00Z",
);
const agents = ["coder@1.0", "coder@2.0", "coder", "co", "@org/coder@1.0", "code%20r@1", "co der@1", 'say "hi"@1'];

/** Without a name, or with one: an empty name counts as none. */
const anyName = fc.option(
  fc.oneof(
    fc.constantFrom("dev", "coder", ...agents),
    anyText.filter((text) => text !== ""),
  ),
);
const anyShares = fc.array(
  fc.record({
    agent: anyName,
    channel: anyName,
    engine: anyName,
    bead: anyName,
    tokens: fc.option(fc.nat()),
    cost_micro_usd: fc.option(fc.nat()),
  }),
  { maxLength: 3 },
);

const anyRow: fc.Arbitrary<SessionRow> = fc.record({
  session_id: anyId,
  title: anyText,
  status: fc.constantFrom(...statuses),
  started: anyInstant,
  ended: fc.option(anyInstant),
  channel: fc.option(fc.oneof(fc.constantFrom("dev", "ops"), anyText)),
  channels: fc.array(fc.oneof(fc.constantFrom("dev", "ops"), anyText), { maxLength: 3 }),
  participants: fc.array(fc.oneof(fc.constantFrom(...agents), anyText), { maxLength: 3 }),
  model: fc.option(anyText),
  tokens_used: fc.option(fc.nat()),
  used: anyShares,
  cost_usd: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }).map((cost) => cost + 0)),
  phases: fc.nat(),
  errors: fc.nat(),
  kind: fc.constantFrom(...sessionKinds),
  engines: fc.array(fc.oneof(fc.constantFrom("claude", "codex"), anyText), { maxLength: 2 }),
  parent: fc.option(fc.oneof(fc.constantFrom("2026-01-01-fix", "a,b"), anyText)),
  bead: fc.option(fc.oneof(fc.constantFrom("proj-1", "proj-2"), anyText)),
  branch: fc.option(fc.oneof(fc.constantFrom("main", "x"), anyText)),
  merged: fc.boolean(),
  archived: fc.boolean(),
  check: fc.oneof(fc.constantFrom("00000000", "1234e567"), fc.stringMatching(/^[0-9a-f]{8}$/)),
});
const anyItem = fc.record({ id: anyText, kind: fc.constantFrom(...questionKinds), text: anyText, phase: anyText });
const anySession = fc.record({ row: anyRow, items: fc.array(anyItem, { maxLength: 2 }) }).map(({ row, items }) =>
  assumeRedacted({
    row,
    inbox: items.map(({ id, kind, text, phase }) => ({ id, session_id: row.session_id, kind, text, phase })),
  }),
);
const anyChanges: fc.Arbitrary<IndexChanges> = fc.record({
  put: fc.array(anySession, { maxLength: 4 }),
  unreadable: fc.array(fc.record({ session_id: anyId, path: anyText, reason: anyText }), { maxLength: 1 }),
  remove: fc.array(anyId, { maxLength: 3 }),
});
const someChanges = fc.array(anyChanges, { maxLength: 6 });

test("S11 every question is answered as by a plain list, after every change", () => {
  const property = fc.property(someChanges, (steps) =>
    inFolders((newFolder) => {
      const [index, model] = [open(newFolder()), new Model()];
      model.rebuild(index);
      for (const changes of steps) {
        index.apply(changes);
        model.apply(changes);
        expect(answers(index)).toEqual(answers(model));
        expect(index.shards().flatMap(({ name }) => index.shardRows(name))).toEqual(model.rows());
        expect(index.hasExactly(new Set(model.ids().toReversed()))).toBe(true);
        expect(index.hasExactly([...model.ids().slice(1), "other"])).toBe(false);
      }
    }),
  );
  fc.assert(property, { numRuns: 60 });
});

test("S11 rebuild gives the same bytes as any way to the same sessions", () => {
  const property = fc.property(fc.array(anyChanges, { maxLength: 12 }), (steps) =>
    inFolders((newFolder) => {
      const [changed, rebuilt, model] = [newFolder(), newFolder(), Model.after(...steps)];
      rebuild(open(changed), []);
      for (const changes of steps) open(changed).apply(changes);
      model.rebuild(open(rebuilt));
      expect(filesIn(changed)).toEqual(filesIn(rebuilt));
      model.rebuild(open(changed));
      expect(filesIn(changed)).toEqual(filesIn(rebuilt));
    }),
  );
  fc.assert(property, { numRuns: 60 });
});

test("S11 every file is what the TOON library writes, and it reads the sessions back", () => {
  const property = fc.property(someChanges, (steps) =>
    inFolders((newFolder) => {
      const [folder, model] = [newFolder(), Model.after(...steps)];
      model.rebuild(open(folder));
      const texts = Object.values(filesIn(folder));
      const contents = texts.map((text) => decode(text) as Record<string, unknown[]>);
      expect(contents.map((content) => `${encode(content)}\n`)).toEqual(texts);
      const rows = model.rows().map((row) => ({
        ...row,
        channels: joinNames(row.channels),
        participants: joinNames(row.participants),
        used: joinShares(row.used),
        engines: joinNames(row.engines),
      }));
      const read = contents.flatMap((content) => (content["sessions"] ?? []) as SessionRow[]);
      expect(read.sort((x, y) => (x.session_id < y.session_id ? -1 : 1))).toEqual(rows);
    }),
  );
  fc.assert(property);
});

test("S11 apply names the sessions that were otherwise before", () => {
  const property = fc.property(anyChanges, anyChanges, (first, second) =>
    inFolders((newFolder) => {
      const [index, before, after] = [open(newFolder()), Model.after(first), Model.after(first, second)];
      before.rebuild(index);
      const ids = [...new Set([...before.ids(), ...after.ids()])].sort((a, b) => (a < b ? -1 : 1));
      expect(index.apply(second)).toEqual(ids.filter((id) => before.known(id) !== after.known(id)));
      expect(index.apply(second)).toEqual([]);
    }),
  );
  fc.assert(property);
});

/** Undefined when the index says that it is damaged; any other error is passed on. */
function unlessDamaged<T>(work: () => T): { answer: T } | undefined {
  try {
    return { answer: work() };
  } catch (error) {
    if (error instanceof IndexDamaged) return undefined;
    throw error;
  }
}

/** The answers that the index gives although something is wrong with it are those of the model. */
function expectHonest(index: ToonSessionIndex, model: Model): void {
  const wanted = answers(model);
  const given = Object.entries(questions(index)).flatMap(([question, ask]) => {
    const result = unlessDamaged(ask);
    return result ? [[question, result.answer, wanted[question]] as const] : [];
  });
  expect(given.map(([question, answer]) => [question, answer])).toEqual(
    given.map(([question, , right]) => [question, right]),
  );
}

test("S11 a harmed index gives the right answer or says that it is damaged, and a rebuild mends it", () => {
  const anyPlace = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  const anyHarm = fc.tuple(fc.constantFrom(...Object.keys(harms)), fc.nat(), fc.nat(), anyPlace);
  const property = fc.property(someChanges, anyChanges, anyHarm, (steps, late, [kind, file, other, place]) =>
    inFolders((newFolder) => {
      const [folder, model] = [newFolder(), Model.after(...steps)];
      model.rebuild(open(folder));
      const healthy = filesIn(folder);
      const paths = Object.keys(healthy).map((name) => join(folder, name));
      const doHarm = (): void =>
        harms[kind]?.(paths[file % paths.length] ?? "", place, paths[other % paths.length] ?? "");

      doHarm();
      expectHonest(open(folder), model);
      model.rebuild(open(folder));
      expect(filesIn(folder)).toEqual(healthy);
      doHarm();
      const applied = unlessDamaged(() => open(folder).apply(late));
      expectHonest(open(folder), applied ? Model.after(...steps, late) : model);
    }),
  );
  fc.assert(property, { numRuns: 80 });
});

/** Does the work again and again from the same start, killed at each of its changes in turn, and looks at what is left. */
function killEverywhere(
  start: () => string,
  work: (index: ToonSessionIndex) => void,
  check: (folder: string) => void,
): void {
  for (let changes = 0, done = false; !done; changes += 1) {
    const folder = start();
    try {
      work(open(folder, new DeadlyFiles(changes)));
      done = true;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    check(folder);
  }
}

test("S11 a change or rebuild that is killed anywhere leaves the old index or the new one, and can be repeated", () => {
  const property = fc.property(someChanges, anyChanges, fc.boolean(), (steps, changes, rebuilds) =>
    inFolders((newFolder) => {
      const [before, after] = [Model.after(...steps), Model.after(...steps, changes)];
      const work = (index: ToonSessionIndex): unknown => (rebuilds ? after.rebuild(index) : index.apply(changes));
      const start = (): string => {
        const folder = newFolder();
        before.rebuild(open(folder));
        return folder;
      };
      const clean = newFolder();
      after.rebuild(open(clean));
      killEverywhere(start, work, (folder) => {
        expect([answers(before), answers(after)]).toContainEqual(answers(open(folder)));
        work(open(folder));
        expect(answers(open(folder))).toEqual(answers(after));
        after.rebuild(open(folder));
        expect(filesIn(folder)).toEqual(filesIn(clean));
      });
    }),
  );
  fc.assert(property, { numRuns: 8 });
});

test("S11 a reader without a lock is not disturbed by a writer between its reads", () => {
  const property = fc.property(someChanges, anyChanges, fc.nat(8), (steps, changes, reads) =>
    inFolders((newFolder) => {
      const [folder, before] = [newFolder(), Model.after(...steps)];
      const [old, fresh] = [answers(before), answers(Model.after(...steps, changes))];
      for (const question of Object.keys(old)) {
        before.rebuild(open(folder));
        const files = interruptedFiles(reads, () => open(folder).apply(changes));
        expect([old[question], fresh[question]]).toContainEqual(questions(open(folder, files))[question]?.());
      }
    }),
  );
  fc.assert(property, { numRuns: 4 });
});
