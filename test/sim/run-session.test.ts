import { assumeRedacted } from "../../src/contract/redacted.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Locks } from "../../src/adapters/files/lock.ts";
import { sessionRecords } from "../../src/adapters/files/session-records.ts";
import type { SessionRecords } from "../../src/app/session/ports.ts";
import { runSessionOwner, type RunOwnerParts, type RunSessionOwner } from "../../src/app/run/session/owner.ts";
import { projectedRunSessions } from "../../src/app/run/session/projected-sessions.ts";
import type { RunSessions } from "../../src/app/run/session/ports.ts";
import type { JournalLine } from "../../src/contract/run-journal.ts";
import type { RunSnapshot } from "../../src/contract/run-snapshot.ts";
import type { LogEntry } from "../../src/contract/session.ts";
import { foldLine, startState, type RunState } from "../../src/run/run-state.ts";
import { parseItems } from "../../src/session/parse.ts";
import { renderItem } from "../../src/session/render.ts";
import { begun, driven, journal, numbered, scriptInput, startLine } from "../support/journals.ts";
import { MemoryDisk } from "./memory-disk.ts";

const runId = "2026-11-15-fix-the-login";
const address = { path: "build", attempt: 1 };
const layout = { root: "/repo", sessions: "/repo/.clew/sessions", home: "/repo/.git/clew" };
const runs = Number(process.env["CLEW_PROPERTY_RUNS"] ?? 120);

/** One holder at a time on each disk, whichever process it stands for. */
const queues = new WeakMap<MemoryDisk, Promise<unknown>>();

function locksOn(disk: MemoryDisk): Locks {
  return {
    with(_, work) {
      const turn = (queues.get(disk) ?? Promise.resolve()).then(work, work);
      queues.set(disk, turn);
      return turn;
    },
    close: () => undefined,
  };
}

function recordsOn(disk: MemoryDisk, boot: string): SessionRecords {
  let now = Date.parse("2026-11-15T10:00:00Z");
  return sessionRecords({
    disk,
    layout,
    locks: async () => locksOn(disk),
    clock: { now: () => ++now },
    readBlob: () => undefined,
    boot,
    isElsewhere: () => false,
    redact: async () => assumeRedacted,
  });
}

/** One process that drives the run: its timers fire when the test says so. */
class Driver {
  readonly warnings: string[] = [];
  readonly records: SessionRecords;
  readonly sessions: RunSessions;
  readonly owner: RunSessionOwner;
  #due: (() => void) | undefined;

  constructor(disk: MemoryDisk, lines: JournalLine[], boot = "first") {
    const records = (this.records = recordsOn(disk, boot));
    const parts: RunOwnerParts = {
      records,
      changeSession: async (id, work) => void (await records.change(id, work)),
      store: {
        exists: () => true,
        isDriven: () => false,
        openIds: () => [],
        pendingSignals: () => [],
        state: () => ({ ...stateOf(lines), journal_bytes: 0 }) satisfies RunSnapshot,
        *lines(_, from = 0) {
          for (const line of lines.slice(from)) yield { line, offset: 0, end: 0 };
        },
      },
      placeOf: (_, n) => {
        const at = lines.findIndex(
          (line) => "n" in line && line.n === n && /^workflow\.(step\.)?started$/.test(line.type),
        );
        return at < 0 ? undefined : at;
      },
      channel: "dev",
      redact: async () => assumeRedacted,
      signal: async () => ({ isDriven: false }),
      warn: (message) => this.warnings.push(message),
    };
    this.owner = runSessionOwner(parts);
    this.sessions = projectedRunSessions({
      ...parts,
      later: (_, work) => {
        this.#due = work;
        return () => (this.#due = undefined);
      },
    });
  }

  /** Lets what is due happen, to its end. */
  async tick(): Promise<void> {
    const due = this.#due;
    this.#due = undefined;
    due?.();
    await this.rest();
  }

  /** Nothing waits for anything outside, so that one turn of the event loop sees all done that was begun. */
  async rest(): Promise<void> {
    await new Promise((done) => setImmediate(done));
  }
}

function stateOf([first, ...rest]: JournalLine[]): RunState {
  if (first?.type !== "workflow.started") throw new Error("a journal begins with workflow.started");
  return rest.reduce(foldLine, startState(first));
}

async function inOneGo(lines: JournalLine[]): Promise<{ body: string; frontmatter: object }> {
  const { records, sessions, warnings } = new Driver(new MemoryDisk(), lines);
  const session = sessions.of(runId);
  for (const line of lines) session.add(line);
  await session.close();
  expect(warnings).toEqual([]);
  return contentOf(records);
}

async function contentOf(records: SessionRecords): Promise<{ body: string; frontmatter: object }> {
  const { text, bodyStart, frontmatter } = await records.read(runId);
  return { body: text.slice(bodyStart), frontmatter };
}

/** What a body says, entry by entry; where each phase begins is part of it. */
function textsIn(body: string): string[] {
  return parseItems(body).map((item) => (item.kind === "phase" ? `${item.mark?.journal}` : renderItem(item, "other")));
}

/** A driver's life: how many lines it writes, after which of them its timer fires, and how it ends. */
const life = fc.record({
  lines: fc.integer({ min: 1, max: 25 }),
  ticks: fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
  /** The change of the disk at which it dies; none: it closes. */
  diesAt: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Lives one life; returns how far the journal is then. */
async function live(disk: MemoryDisk, whole: JournalLine[], from: number, each: Life): Promise<number> {
  const lines = whole.slice(0, from);
  const driver = new Driver(disk, lines);
  const session = driver.sessions.of(runId);
  if (each.diesAt !== undefined) disk.breakAfter(each.diesAt, each.part);
  const until = Math.min(from + each.lines, whole.length);
  for (let at = from; at < until; at++) {
    lines.push(whole[at]!);
    session.add(whole[at]!);
    if (each.ticks[at - from]) await driver.tick();
  }
  if (each.diesAt === undefined) await session.close();
  await driver.rest();
  disk.kill();
  return until;
}

/** A last driver that comes to the journal's end. */
async function finished(disk: MemoryDisk, lines: JournalLine[], at: number): Promise<Driver> {
  const last = new Driver(disk, lines);
  const session = last.sessions.of(runId);
  for (const line of lines.slice(Math.min(at, lines.length - 1))) session.add(line);
  await session.close();
  expect(last.warnings).toEqual([]);
  return last;
}

const file = `${layout.sessions}/${runId}/session.md`;

function isThere(disk: MemoryDisk): boolean {
  return disk.stamp(file) !== undefined;
}

const log = (disk: MemoryDisk, entries: LogEntry[]): Promise<void> =>
  recordsOn(disk, "first").change(runId, (record) =>
    record.append(entries.map(assumeRedacted), { at: "2026-11-15T12:00:00.000Z" }),
  );

const harms = {
  delete: (disk: MemoryDisk) => recordsOn(disk, "first").remove(runId, []),
  /** `git clean`: the file is gone, its write-ahead copy is not. */
  clean: async (disk: MemoryDisk) => disk.remove(file),
  note: async (disk: MemoryDisk, said: string) => {
    await recordsOn(disk, "first").read(runId);
    disk.append(file, Buffer.from(`\n${said}\n`));
  },
  decision: (disk: MemoryDisk, said: string) => log(disk, [{ kind: "decision", text: said }]),
  phase: (disk: MemoryDisk, said: string) =>
    log(disk, [
      { kind: "phase", title: "Mine" },
      { kind: "text", text: said },
    ]),
};
const harm = fc.constantFrom<keyof typeof harms>("delete", "clean", "note", "decision", "phase");

describe("S7 G16 a run's session follows from its journal", () => {
  test("S7 whatever dies, and whenever, the session is the same as projected in one go", async () => {
    await fc.assert(
      fc.asyncProperty(journal(runId), fc.array(life, { maxLength: 6 }), async (lines, lives) => {
        const whole = await inOneGo(lines);
        const disk = new MemoryDisk();
        let at = 0;
        for (const each of lives) at = await live(disk, lines, at, each);
        const last = await finished(disk, lines, at);
        expect(await contentOf(last.records)).toEqual(whole);
      }),
      { numRuns: runs },
    );
  });

  test("S7 what people and agents do to the session meanwhile stays, and costs no entry", async () => {
    await fc.assert(
      fc.asyncProperty(journal(runId), fc.array(fc.tuple(life, harm), { maxLength: 6 }), async (lines, lives) => {
        const disk = new MemoryDisk();
        let at = 0;
        let added: { what: string; said: string }[] = [];
        for (const [number, [each, what]] of lives.entries()) {
          at = await live(disk, lines, at, each);
          if (!isThere(disk)) continue;
          const said = `by somebody ${number}`;
          await harms[what](disk, said);
          if (what === "delete") added = [];
          else if (what === "clean") added = added.filter((one) => one.what !== "note");
          else added.push({ what, said });
        }
        const last = await finished(disk, lines, at);
        const found = textsIn((await contentOf(last.records)).body);
        const isAdded = (text: string): boolean => text.includes("by somebody");
        expect(found.filter((text) => !isAdded(text) && text !== "undefined")).toEqual(
          textsIn((await inOneGo(lines)).body),
        );
        expect(found.flatMap((text) => text.match(/by somebody \d+/g) ?? []).toSorted()).toEqual(
          added.map(({ said }) => said).toSorted(),
        );
      }),
      { numRuns: runs },
    );
  });

  test("S7 two processes that write the same session at the same time write each entry once", async () => {
    await fc.assert(
      fc.asyncProperty(
        journal(runId),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 40, maxLength: 40 }),
        async (lines, moves) => {
          const disk = new MemoryDisk();
          const written = lines.slice(0, 1);
          const drivers = [new Driver(disk, written), new Driver(disk, written)];
          const closing: Promise<unknown>[] = [];
          let session = drivers[0]!.sessions.of(runId);
          for (const [at, line] of lines.slice(1).entries()) {
            written.push(line);
            session.add(line);
            const move = moves[at % moves.length];
            // Another takes over while the first has not finished writing.
            if (move === 0) {
              closing.push(session.close());
              session = drivers[at % 2]!.sessions.of(runId);
            } else if (move === 1) closing.push(drivers[at % 2]!.owner.bringUpToDate(runId));
            else if (move === 2) await drivers[at % 2]!.tick();
          }
          session.add(lines[1]!);
          await Promise.all([...closing, session.close()]);
          expect(drivers.flatMap(({ warnings }) => warnings)).toEqual([]);
          expect((await contentOf(drivers[0]!.records)).body).toBe((await inOneGo([...lines])).body);
        },
      ),
      { numRuns: runs },
    );
  });

  test("G16 nothing is synced while the run is driven; at rest it is", async () => {
    let syncs = 0;
    const disk = new (class extends MemoryDisk {
      override syncNow(path: string): void {
        syncs++;
        super.syncNow(path);
      }
    })();
    const lines = numbered([
      startLine(runId),
      driven,
      ...Array.from({ length: 30 }, () => begun(address, scriptInput)),
    ]);
    const written = lines.slice(0, 1);
    const driver = new Driver(disk, written);
    await driver.sessions.begin(runId);
    const session = driver.sessions.of(runId);
    syncs = 0;
    for (const line of lines.slice(1)) {
      written.push(line);
      session.add(line);
      await driver.tick();
    }
    expect(syncs).toBe(0);
    expect(textsIn((await contentOf(driver.records)).body).filter((text) => /^\d+$/.test(text))).toHaveLength(30);
    await session.close();
    expect(syncs).toBeGreaterThan(0);
  });

  test("S7 after a power cut nothing is missing, and nothing whole is there twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        journal(runId),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        async (lines, cut, chances) => {
          const { body } = await inOneGo(lines);
          const disk = new MemoryDisk();
          const written: JournalLine[] = lines.slice(0, 1);
          const before = new Driver(disk, written);
          await before.sessions.begin(runId);
          const session = before.sessions.of(runId);
          for (const line of lines.slice(1, cut)) {
            written.push(line);
            session.add(line);
            await before.tick();
          }
          let next = 0;
          disk.cutPower(() => chances[next++ % chances.length]!);
          const after = new Driver(disk, lines, "second");
          expect(await after.owner.bringUpToDate(runId)).toBe("settled");
          expect(after.warnings).toEqual([]);
          const expected = textsIn(body);
          const found = textsIn((await contentOf(after.records)).body);
          const known = new Set(expected);
          expect(found.filter((text) => known.has(text))).toEqual(expected);
        },
      ),
      { numRuns: runs },
    );
  });
});
