import { spawn } from "node:child_process";
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";

/** What a connected agent waits for between two of its steps. @param {import("../lib/bench.mjs").Bench} bench */
export async function mcp(bench) {
  const { program, place, sizes } = bench;
  const repository = bench.repository("mcp");
  const rounds = sizes.rounds * 10;
  const steps = Array.from(
    { length: rounds + 2 },
    (_, at) => `  - name: s${at}\n    type: agent\n    spell: |\n      Do it.\n`,
  );
  mkdirSync(join(repository.folder, ".clew/grimoires"), { recursive: true });
  const grimoire = `name: flow\ndescription: Steps of an agent.\nsteps:\n${steps.join("")}`;
  writeFileSync(join(repository.folder, ".clew/grimoires/flow.yaml"), grimoire);
  writeFileSync(join(repository.folder, ".clew/config.yaml"), "default_grimoire: flow\n");
  await repository.commitOther("# Bench\n");
  program.git(repository.folder, "reset", "--quiet");
  const bead = JSON.parse(repository.clew("bead", "create", "Measure", "--json").toString()).bead.id;
  bench.settle();

  const env = { ...program.env, XDG_STATE_HOME: place.folder("mcp-state") };
  const server = spawn(process.execPath, [program.file, "mcp"], {
    cwd: repository.folder,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  place.watch(server);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  /** @param {string} method @param {object} params */
  const ask = async (method, params) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
    const { value } = await lines.next();
    return JSON.parse(value).result;
  };
  /** @param {string} name @param {object} args */
  const call = async (name, args) => (await ask("tools/call", { name, arguments: args })).structuredContent;
  const floor = openSync(join(place.root, "mcp-floor"), "a");
  try {
    let standing = await call("workflow_start", { bead });
    if (!standing.token) throw new Error(`no step is asked for: ${JSON.stringify(standing)}`);
    const timing = await takeTurns(rounds, {
      bare: () => {
        writeSync(floor, `${"x".repeat(600)}\n`);
        fdatasyncSync(floor);
      },
      next: async () => {
        const result = { success: true, summary: "Done." };
        standing = await call("workflow_continue", { token: standing.token, result });
      },
      ping: async () => void (await ask("ping", {})),
    });
    return [
      plainRow("workflow_continue, up to the agent's next step", {
        value: timing.next.medianMs,
        unit: "ms",
        atMost: 5,
      }),
      ratioRow("the same / one append with fdatasync", timing.next, timing.bare),
      plainRow("a ping of the same server", { value: timing.ping.medianMs, unit: "ms" }),
    ];
  } finally {
    closeSync(floor);
    server.stdin.end();
  }
}
