import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inFolder, isAlive, marked, newMark, run, type Ran } from "./children.fixture.ts";
import { endSurvivors } from "./survivors.ts";

/** The numbers that a script printed, which are pids. */
const pidsIn = ({ stdout }: { stdout: string }): number[] => (stdout.match(/\d+/g) ?? []).map(Number);

function expectGone(ran: Ran, count: number): void {
  const pids = pidsIn(ran);
  expect(pids).toHaveLength(count);
  expect(pids.filter(isAlive)).toEqual([]);
}

describe("G10 what a child started ends with it, also when all went well", () => {
  test("G10 background processes, with and without its output", async () => {
    const ran = await run("sleep 1000 & echo $!; nohup sleep 1000 >/dev/null 2>&1 & echo $!; (sleep 1000 & echo $!)");
    expect(ran).toMatchObject({ code: 0, ended: "exited" });
    expectGone(ran, 3);
  });

  test("G10 jobs in groups of their own", async () => {
    expectGone(await run("set -m; sleep 1000 >/dev/null 2>&1 & echo $!"), 1);
  });

  test("G10 those that do not hear a TERM", async () => {
    const deaf = "trap '' TERM; while :; do sleep 0.01; done";
    expectGone(await run(`sh -c "${deaf}" & echo $!; sh -c "${deaf}" >/dev/null 2>&1 & echo $!`), 2);
  });

  test("G10 those that are stopped, which hear the TERM all the same", async () => {
    const script = "sh -c 'trap \"echo heard; exit\" TERM; echo $$; kill -STOP $$' & sleep 0.1";
    const ran = await run(script, {}, { graceMs: 10_000 });
    expect(ran.stdout).toMatch(/heard\n$/);
    expectGone(ran, 1);
  });

  test("G10 those that were seen before they moved to a session of their own", async () => {
    const ran = await run("sh -c 'sleep 0.3; exec setsid sleep 1000' >/dev/null 2>&1 & echo $!; sleep 0.6");
    expectGone(ran, 1);
  });
});

describe("G10 what leaves by setsid just as the child ends", () => {
  const departures = [
    "setsid setsid sleep 1000",
    "setsid sh -c '(setsid sleep 1000 &)'",
    'setsid sh -c \'setsid sh -c "setsid sh -c \\"setsid env sleep 1000 &\\" &" &\'',
  ];
  test.each(departures)("G10 is found by its mark, also while it becomes another program: %s", async (departure) => {
    for (let round = 0; round < 25; round++) {
      const mark = newMark();
      const code = round % 2;
      const end = await run(`(${departure} >/dev/null 2>&1 &); exit ${code}`, { mark });
      expect({ code: end.code, left: marked(mark) }).toEqual({ code, left: [] });
    }
  });

  test("G10 also where it forks anew all the time, and does not hear a TERM", async () => {
    await inFolder(async (folder) => {
      const again = join(folder, "again");
      writeFileSync(again, "trap '' TERM\nsleep 0.02\nsetsid sh ./again &\n");
      const mark = newMark();
      const end = await run("setsid sh ./again >/dev/null 2>&1 &", { mark, folder });
      await pause(100);
      expect({ end, left: marked(mark) }).toMatchObject({ end: { code: 0 }, left: [] });
    });
  });
});

describe("G10 a process that holds the output open", () => {
  const escape = "setsid sh -c 'while :; do sleep 0.01; done' & sleep 0.02;";
  const noisy = "setsid sh -c 'while :; do echo noise; done' & sleep 0.02;";
  test.each([escape, noisy])(
    "G10 does not keep the child's end back, and nothing the child said is lost: %s",
    async (flight) => {
      const mark = newMark();
      const ran = await run(`${flight} head -c 60000 /dev/zero | tr '\\0' x; echo last >&2`, { mark });
      try {
        expect(ran).toMatchObject({ code: 0, ended: "exited" });
        expect(ran.stdout.replaceAll("noise\n", "").match(/x/g)).toHaveLength(60_000);
        expect(ran.stderr).toBe("last\n");
      } finally {
        await endSurvivors(ran.records, { graceMs: 0 });
      }
      expect(marked(mark)).toEqual([]);
    },
  );

  test("G15 a tee at the child's side gets to the end", async () => {
    const script = "exec > >(sleep 0.03; tee /dev/stderr); echo all of it";
    expect(await run(["bash", "-c", script])).toMatchObject({ stdout: "all of it\n", stderr: "all of it\n" });
  });
});

/** Ways for a process to get away from the one that ends it; each prints `up` when it has. */
const flights = [
  "sleep 1000 & sleep 1000 & echo up; wait",
  "setsid sleep 1000 & echo up; wait",
  "(setsid sh -c 'setsid sleep 1000 & sleep 1000' &) ; echo up; sleep 1000",
  "trap '' TERM INT HUP; (trap '' TERM; setsid sh -c 'while :; do sleep 0.01; done' >/dev/null 2>&1 &); echo up; while :; do sleep 0.01; done",
  "nohup setsid sleep 1000 >/dev/null 2>&1 & sleep 1000 & kill -STOP $!; echo up; kill -STOP $$",
  "f() { sleep 0.005; f & }; f; echo up; sleep 1000",
  "(setsid sh -c 'f() { sleep 0.005; f & }; f' &); echo up; sleep 1000",
];

describe("G10 nothing outlives an abort", () => {
  test.each(flights)("G10 %s", async (script) => {
    const mark = newMark();
    const stop = new AbortController();
    const end = await run(script, { mark }, { signal: stop.signal, onStdout: () => stop.abort() });
    expect(end.ended).toBe("aborted");
    expect(marked(mark)).toEqual([]);
  });

  test("G10 at any instant", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...flights),
        fc.nat({ max: 80 }),
        fc.boolean(),
        async (script, delayMs, polite) => {
          const mark = newMark();
          const stop = new AbortController();
          const running = run(script, { mark }, { signal: stop.signal, graceMs: polite ? 60 : 0 });
          await pause(delayMs);
          stop.abort();
          expect((await running).ended).toBe("aborted");
          expect(marked(mark)).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
