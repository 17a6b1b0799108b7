import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { median, takeTurns } from "../lib/timing.mjs";

const probe = fileURLToPath(new URL("../probes/turns.mjs", import.meta.url));

const plan = `# Nothing to do
- **Status:** Green
- **Plan Type:** Exploration
- **Agent:** dev
- **Goal:** to be timed

## Rationale
~~~~~~
None.
~~~~~~

## Context Vault
~~~~~~
~~~~~~

## Action Plan

### \`CHAT_WITH_USER\`
~~~~~~
Done.
~~~~~~
`;

/** What a plan costs before anything is done, and its edits. @param {import("../lib/bench.mjs").Bench} bench */
export async function turns(bench) {
  return [...(await contextOfPlan(bench)), ...ofPlan(bench)];
}

/** A context of 2 MB out of 20,000 files, by a pattern. @param {import("../lib/bench.mjs").Bench} bench */
async function contextOfPlan({ program, place, sizes }) {
  const folder = place.folder("turns");
  program.git(folder, "init", "-q");
  /** @type {(path: string, text: string) => void} */
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (let at = 0; at < 20_000; at++) write(`src/${at % 200}/${at}.ts`, `export const value = ${at};\n`);
  const line = "export function nameOf(argument: string): number { return argument.length + 42; }\n";
  for (let at = 0; at < 20; at++) write(`shown/${at}.ts`, line.repeat(Math.ceil(100_000 / line.length)));
  program.git(folder, "add", "-A");
  write("play.json", JSON.stringify({ turns: [{ say: plan }] }));
  write(".clew/config.yaml", "engine: scripted\nengines: {scripted: {script: play.json}}\ncontext_budget: 2000000\n");
  write(".clew/global.context", "shown/**\n");
  program.clew(folder, "session", "new", "first");
  let session = 0;
  const timings = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    context: () => void program.clew(folder, "session", "context", "--json"),
    plan() {
      const made = JSON.parse(program.clew(folder, "session", "new", `plan-${++session}`, "--json").toString());
      const startMs = performance.now();
      program.clew(folder, "session", "plan", "-m", "Go", "-s", made.session_id);
      return performance.now() - startMs;
    },
  });
  return [
    ratioRow("clew session context, 2 MB of 20,000 files / node -e 0", timings.context, timings.node, { atMost: 4 }),
    ratioRow("clew session plan of it, with the engine's own process / node -e 0", timings.plan, timings.node),
  ];
}

/** @param {import("../lib/bench.mjs").Bench} bench */
function ofPlan({ program, place, partsFile, sizes }) {
  const printed = program.node(place.root, [probe, partsFile, String(sizes.rounds)]);
  /** @type {{ firstMs: number, checkMs: number[], editMs: { half: number[], whole: number[] } }} */
  const { firstMs, checkMs, editMs } = JSON.parse(printed.toString());
  const wholeMs = median(editMs.whole);
  return [
    plainRow("reading and checking a plan of 500 actions", { value: median(checkMs), unit: "ms", atMost: 50 }),
    plainRow("the same, the first time in a process", { value: firstMs, unit: "ms" }),
    plainRow("200 edits of a file of 50,000 lines", { value: wholeMs, unit: "ms", atMost: 1000 }),
    plainRow("the same / of 25,000 lines", { value: wholeMs / median(editMs.half), unit: "×" }),
  ];
}
