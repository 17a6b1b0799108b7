import { spawn, spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { takeTurns, timingOf } from "../lib/timing.mjs";

const payload = {
  session_id: "81b1b614-e07b-4d06-88d0-bc90f559f5bb",
  transcript_path: "/home/user/.claude/projects/-repo/81b1b614-e07b-4d06-88d0-bc90f559f5bb.jsonl",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test", description: "Runs the tests" },
  tool_use_id: "toolu_ec6b6038b0fe42adbfb9f756",
};

const perSecond = 500;
/** Seconds of each turn. */
const turnSeconds = 2;
const probe = fileURLToPath(new URL("../probes/hook-endpoint.mjs", import.meta.url));

const treeProbe = fileURLToPath(new URL("../probes/tree-look.mjs", import.meta.url));

/** What a call of a hook takes, with its line on disk. @param {import("../lib/bench.mjs").Bench} bench */
export async function hooks(bench) {
  const { program, sizes } = bench;
  const { folder } = bench.repository("hooks");
  const input = JSON.stringify(payload);
  const ruled = bench.repository("hooks-policy").folder;
  mkdirSync(join(ruled, ".clew"), { recursive: true });
  writeFileSync(join(ruled, ".clew/config.yaml"), "policy: [{command: git push …, decide: deny}]\n");
  const call = (cwd = folder) => {
    const args = [program.file, "hook", "pre-tool-use", "--engine", "claude"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, env: program.env, input });
    if (status !== 0 || stderr.length > 0) throw new Error(`clew hook: ${stderr.toString()}`);
  };
  const { node, hook, judged } = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    hook: () => call(),
    judged: () => call(ruled),
  });
  const command = ratioRow("clew hook EVENT, on disk / node -e 0", hook, node, { atMost: 1.4 });
  const policy = ratioRow("the same, judged by a policy / node -e 0", judged, node, { atMost: 2.5 });
  return [command, policy, ...(await overHttp(bench, folder, input)), looks(bench)];
}

/** What a call costs that a gate asks for: two looks at the whole worktree. @param {import("../lib/bench.mjs").Bench} bench */
function looks(bench) {
  const { program, partsFile, sizes } = bench;
  const { folder } = bench.repository("hooks-trees");
  for (let number = 0; number < sizes.treeFiles; number++) {
    const inside = join(folder, "src", String(number % 100));
    if (number < 100) mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `${number}.txt`), `file ${number}\n`);
  }
  program.git(folder, "add", "--all");
  program.git(
    folder,
    "-c",
    "user.name=Bench",
    "-c",
    "user.email=bench@example.invalid",
    "commit",
    "--quiet",
    "-m",
    "files",
  );
  /** @type {{ lookMs: number, gitMs: number }[]} */
  const rounds = JSON.parse(program.node(folder, [treeProbe, partsFile, folder, String(sizes.fewRounds)]).toString());
  const figure = `the trees before and after a call, ${sizes.treeFiles} files / git status, twice`;
  return ratioRow(figure, timingOf(rounds.map(({ lookMs }) => lookMs)), timingOf(rounds.map(({ gitMs }) => gitMs)));
}

/**
 * Hooks over HTTP, as the process answers them that drives an agent.
 * @param {import("../lib/bench.mjs").Bench} bench
 * @param {string} folder
 * @param {string} input
 */
async function overHttp(bench, folder, input) {
  const rounds = Math.max(1, Math.min(5, bench.sizes.rounds));
  const bare = await open(bench, folder, "bare");
  const disk = await open(bench, folder, "disk");
  const desk = await open(bench, folder, "desk");
  /** @type {Map<unknown, number[]>} */
  const times = new Map([bare, disk, desk].map((server) => [server, []]));
  for (let round = -1; round < rounds; round++) {
    for (const server of [bare, disk, desk]) {
      const took = await load(server, input);
      if (round >= 0) times.get(server)?.push(...took);
    }
  }
  for (const { close } of [bare, disk, desk]) close();
  const at = (/** @type {unknown} */ server, /** @type {number} */ share) => {
    const sorted = (times.get(server) ?? []).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)] ?? NaN;
  };
  const row = (/** @type {string} */ name, /** @type {number} */ share, /** @type {number} */ atMost) =>
    plainRow(`a hook over HTTP at ${perSecond}/s, on disk, ${name}`, {
      value: at(desk, share),
      unit: "ms",
      floor: `${at(bare, share).toFixed(2)} ms bare, ${at(disk, share).toFixed(2)} ms bare with fdatasync`,
      atMost,
    });
  return [row("p50", 0.5, 0.5), row("p99", 0.99, 5)];
}

/**
 * @param {import("../lib/bench.mjs").Bench} bench
 * @param {string} folder
 * @param {string} what
 */
async function open({ place, partsFile }, folder, what) {
  const child = spawn(process.execPath, [probe, partsFile, folder, what], { stdio: ["pipe", "pipe", "inherit"] });
  place.watch(child);
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { url, token } = JSON.parse(value);
  return { url, token, close: () => child.stdin.end() };
}

/**
 * Sends hooks at an even pace, whether or not those before were answered. Returns how long each took, in milliseconds.
 * @param {{ url: string, token: string }} server
 * @param {string} input
 */
async function load({ url, token }, input) {
  // A new one each time: a server closes connections that were idle.
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(input),
  };
  /** @returns {Promise<number>} */
  const send = () =>
    new Promise((resolve, reject) => {
      const startMs = performance.now();
      const sent = request(url, { method: "POST", agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
        response.resume().on("end", () => resolve(performance.now() - startMs));
      });
      sent.on("error", reject).end(input);
    });
  const beganMs = performance.now();
  /** @type {Promise<number>[]} */
  const all = [];
  while (all.length < perSecond * turnSeconds) {
    const due = Math.min(perSecond * turnSeconds, ((performance.now() - beganMs) * perSecond) / 1000);
    while (all.length < due) all.push(send());
    await pause(1);
  }
  const took = await Promise.all(all);
  agent.destroy();
  return took;
}
