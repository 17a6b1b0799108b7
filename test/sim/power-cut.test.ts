import { assumeRedacted } from "../../src/contract/redacted.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Locks } from "../../src/adapters/files/lock.ts";
import { sessionRecords } from "../../src/adapters/files/session-records.ts";
import type { SessionRecords } from "../../src/app/session/ports.ts";
import type { LogEntry } from "../../src/contract/session.ts";
import { parseItems } from "../../src/session/parse.ts";
import { Crash, MemoryDisk } from "./memory-disk.ts";

const layout = { root: "/repo", sessions: "/repo/.clew/sessions", home: "/repo/.git/clew" };

/** Everything here happens in one process, one after the other. */
const noLocks: Locks = { with: async (_, work) => work(), close: () => undefined };

function recordsOn(disk: MemoryDisk, boot = "first", largeBytes = Infinity): SessionRecords {
  let now = Date.parse("2026-11-15T10:00:00Z");
  return sessionRecords({
    disk,
    layout,
    locks: async () => noLocks,
    clock: { now: () => ++now },
    readBlob: () => undefined,
    boot,
    largeBytes,
    isElsewhere: () => false,
    redact: async () => assumeRedacted,
  });
}

const said = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll("\0", "").toWellFormed());
type Action = { do: "log"; entries: LogEntry[] } | { do: "save" } | { do: "pause" } | { do: "resume" };
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("log" as const),
      entries: fc.array(
        fc.oneof(
          said.map((text): LogEntry => ({ kind: "decision", text })),
          said.map((args): LogEntry => ({ kind: "tool", name: "run", args, failed: false })),
          said.map((args): LogEntry => ({ kind: "tool", name: "run", args: `${args}\nmore`, failed: true })),
          said.map((text): LogEntry => ({ kind: "error", text, resolution: text })),
          fc.constant<LogEntry>({ kind: "phase", title: "Next", agent: "coder@2" }),
          fc.nat(999).map((tokens): LogEntry => ({ kind: "tokens", tokens })),
        ),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ do: "save" }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: "pause" }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: "resume" }) },
);

async function perform(records: SessionRecords, id: string, step: Action): Promise<void> {
  await records.change(id, async (record) => {
    if (step.do === "log") await record.append(step.entries.map(assumeRedacted), { at: "2026-11-15T10:00:00Z" });
    else if (step.do === "save") await record.save();
    else if (step.do === "resume") await record.set(assumeRedacted({ status: "active", resume_point: undefined }));
    else await record.set(assumeRedacted({ status: "paused", resume_point: record.tally.phaseId ?? undefined }));
  });
}

/** Each logged entry is told apart by a number of its own. */
function number(entries: LogEntry[], next: () => number): LogEntry[] {
  return entries.map((entry) => {
    const mark = `#${next()}# `;
    if (entry.kind === "tool") return { ...entry, args: mark + entry.args };
    if (entry.kind === "phase") return { ...entry, title: mark + entry.title };
    if (entry.kind === "tokens") return { ...entry, model: `m${next()}#` };
    return "text" in entry ? { ...entry, text: mark + entry.text } : entry;
  });
}

const marks = (text: string): string[] => [...text.matchAll(/#\d+#|m\d+#/g)].map(([mark]) => mark);

describe("S7 whatever breaks, and whenever", () => {
  for (const fault of ["kill", "power cut"] as const) {
    test(`S7 after a ${fault} at any change, all that was acknowledged is there and in order`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { minLength: 1, maxLength: 8 }),
          fc.integer({ min: 1, max: 40 }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
          // Sessions that are always large, that become so, and that never do.
          fc.constantFrom(0, 500, Infinity),
          async (steps, breakAt, part, chances, largeBytes) => {
            const disk = new MemoryDisk();
            const id = await recordsOn(disk).create(
              "2026-11-15-work",
              assumeRedacted({
                type: "session",
                title: "Work",
                started: "2026-11-15T10:00:00.000Z",
                status: "active",
                kind: "work",
              }),
            );
            let count = 0;
            const acknowledged: string[] = [];
            let status = "active";
            let isWaiting = false;
            disk.breakAfter(breakAt, part);
            const records = recordsOn(disk, "first", largeBytes);
            try {
              for (const step of steps) {
                const numbered = step.do === "log" ? { ...step, entries: number(step.entries, () => ++count) } : step;
                isWaiting = step.do === "pause" || step.do === "resume";
                await perform(records, id, numbered);
                isWaiting = false;
                if (numbered.do === "log") acknowledged.push(...marks(JSON.stringify(numbered.entries)));
                if (numbered.do === "pause") status = "paused";
                if (numbered.do === "resume") status = "active";
              }
            } catch (error) {
              if (!(error instanceof Crash)) throw error;
            }
            let at = 0;
            if (fault === "kill") disk.kill();
            else disk.cutPower(() => chances[at++ % chances.length]!);

            const after = recordsOn(disk, fault === "kill" ? "first" : "second", largeBytes);
            const { text, bodyStart, frontmatter } = await after.read(id);
            const found = marks(text.slice(bodyStart));
            expect(found.filter((mark) => acknowledged.includes(mark))).toEqual(acknowledged);
            expect(found).toEqual([...new Set(found)]);
            // What was under way when it broke may have been done.
            if (!isWaiting) expect(frontmatter.status).toBe(status);
            // A kill tears nothing for good; a power cut may leave half of what was not acknowledged, closed as a note.
            const kinds = parseItems(text.slice(bodyStart)).map((item) => item.kind);
            if (fault === "kill") expect(kinds).not.toContain("note");

            await perform(after, id, { do: "log", entries: [{ kind: "decision", text: "#last#" }] });
            const again = await recordsOn(disk, "third").read(id);
            expect(again.text).toContain("> #last#\n");
          },
        ),
        { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 800) },
      );
    });
  }
});
