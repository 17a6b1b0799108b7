import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainRow, rateRow, ratioRow } from "../lib/rows.mjs";
import { afterStart, takeTurns, timingOf } from "../lib/timing.mjs";
import { writeTranscripts } from "../lib/transcripts.mjs";

const rounds = 2;
const bytesEach = 2_000_000;
const report = ["daily", "--offline", "--json"];

/**
 * What Claude Code left becomes sessions, against ccusage, which reads the same files to sum them up.
 * @param {import("../lib/bench.mjs").Bench} bench
 */
export async function importing(bench) {
  const { place, program, sizes } = bench;
  const home = place.folder("import-home");
  const cwd = place.folder("import-project");
  const claude = join(home, ".claude");
  const { files, bytes } = writeTranscripts(claude, cwd, sizes.importBytes, bytesEach);
  bench.say(`${files} transcripts, ${(bytes / 1e6).toFixed(0)} MB`);
  const env = { HOME: home, CLAUDE_CONFIG_DIR: claude };
  const clew = (/** @type {string[]} */ ...args) => program.node(cwd, [program.file, ...args], env);
  const fresh = () => {
    execFileSync("rm", ["-rf", join(cwd, ".git"), join(cwd, ".clew")]);
    mkdirSync(cwd, { recursive: true });
    program.git(cwd, "init", "--quiet");
    clew("init");
    bench.settle();
  };
  const timed = (/** @type {() => unknown} */ work) => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  };
  const [reader, native] = [installed("ccusage-18"), installedIfPossible("ccusage-20")];
  const timing = await takeTurns(rounds, {
    ccusage: () => void program.node(cwd, [reader, ...report], env),
    import: () => {
      fresh();
      return timed(() => clew("session", "import"));
    },
  });
  const mb = `${(bytes / 1e6).toFixed(0)} MB`;
  const rate = (/** @type {{ medianMs: number }} */ { medianMs }) => bytes / 1000 / medianMs;
  fresh();
  program.node(
    cwd,
    ["--require", fileURLToPath(new URL("../probes/at-exit.cjs", import.meta.url)), program.file, "session", "import"],
    { ...env, CLEW_BENCH_PROBE: program.probeFile },
  );
  const { peakMb } = JSON.parse(execFileSync("cat", [program.probeFile], { encoding: "utf8" }));
  const again = await takeTurns(sizes.fewRounds, {
    nothing: () => program.nothing(),
    import: () => void clew("session", "import"),
    stats: () => void clew("session", "stats"),
    looks: () => timed(() => lookAt(claude)),
  });
  const floor = timingOf([2 * again.nothing.medianMs + again.looks.medianMs]);
  return [
    rateRow(`import ${mb} of Claude's transcripts, against ccusage 18.0.5 reading them`, {
      rate: rate(timing.import),
      floorRate: rate(timing.ccusage),
      unit: "MB/s",
      atLeast: 5,
    }),
    plainRow("most memory of that import", { value: peakMb, unit: "MB", atMost: 200 }),
    ratioRow("import again, nothing changed, against twice node -e 0 and their stat calls", again.import, floor, {
      atMost: 1,
    }),
    ...(native !== undefined && isUsable(program, native, cwd, env)
      ? [
          ratioRow(
            "session stats after it, against ccusage 20",
            again.stats,
            await timeOf(() => program.node(cwd, [native, ...report], env)),
            { atMost: 1 },
          ),
        ]
      : [
          plainRow("session stats after it, after start (ccusage 20 has no program for this machine)", {
            value: afterStart(again.stats, again.nothing).medianMs,
            unit: "ms",
          }),
        ]),
  ];
}

/** The same; undefined when it cannot be installed here. @param {string} name */
function installedIfPossible(name) {
  try {
    return installed(name);
  } catch {
    return undefined;
  }
}

/** The program of a peer, which is installed when it is asked for. @param {string} name */
function installed(name) {
  const folder = fileURLToPath(new URL(`../../tools/${name}/`, import.meta.url));
  execFileSync("npm", ["ci", "--ignore-scripts", "--include=optional"], { cwd: folder, stdio: "ignore" });
  return join(folder, "node_modules", ".bin", "ccusage");
}

/**
 * Its native part is a package for each system, which may be missing.
 * @param {import("../lib/program.mjs").Program} program
 * @param {string} file
 * @param {string} cwd
 * @param {Record<string, string>} env
 */
function isUsable(program, file, cwd, env) {
  try {
    program.node(cwd, [file, ...report], env);
    return true;
  } catch {
    return false;
  }
}

/** @param {() => unknown} work */
async function timeOf(work) {
  return (await takeTurns(rounds, { work: () => void work() })).work;
}

/** What no import can do without: a look at each file. @param {string} folder */
function lookAt(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) statSync(join(entry.parentPath, entry.name));
  }
}
