import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const probe = fileURLToPath(new URL("../probes/at-exit.cjs", import.meta.url));
const largestOutput = 256 * 1024 * 1024;

/** @typedef {{ peakMb: number, workMs: number }} Inside what a process says of itself at its end */

/** The built program, as it was when the run began. */
export class Program {
  /** @param {import("./place.mjs").Place} place */
  constructor(place) {
    this.env = quietEnvironment(place);
    this.folder = place.folder("program");
    cpSync(join(root, "dist"), join(this.folder, "dist"), { recursive: true });
    // The native SQLite binding is a package and stays where it is.
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
    this.file = join(this.folder, "dist", "clew.cjs");
    this.probeFile = join(place.root, "probe.json");
  }

  /**
   * Runs `clew` to its end and returns what it printed. Throws when it fails.
   * @param {string} cwd
   * @param {string[]} args
   */
  clew(cwd, ...args) {
    return this.node(cwd, [this.file, ...args]);
  }

  /** What everything is compared with: a Node that does nothing. */
  nothing() {
    this.node(this.folder, ["-e", "0"]);
  }

  /**
   * Runs `clew` with a preload that reports, at its end, the most memory it had and the time since Node was ready.
   * @param {string} cwd
   * @param {string[]} args
   * @returns {Inside}
   */
  clewInside(cwd, ...args) {
    this.node(cwd, ["--require", probe, this.file, ...args], { CLEW_BENCH_PROBE: this.probeFile });
    return JSON.parse(readFileSync(this.probeFile, "utf8"));
  }

  /**
   * @param {string} cwd
   * @param {string[]} args
   * @param {Record<string, string>} [env]
   * @param {number | "ignore"} [stdin] a file that is open
   */
  node(cwd, args, env = {}, stdin = "ignore") {
    return run(process.execPath, args, { cwd, env: { ...this.env, ...env }, stdin });
  }

  /**
   * @param {string} cwd
   * @param {string[]} args
   */
  git(cwd, ...args) {
    return run("git", args, { cwd, env: this.env, stdin: "ignore" });
  }
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, stdin: number | "ignore" }} options
 */
function run(file, args, { cwd, env, stdin }) {
  const stdio = /** @type {const} */ ([stdin, "pipe", "pipe"]);
  const { status, signal, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env,
    stdio: [...stdio],
    maxBuffer: largestOutput,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status ?? signal}:\n${stderr.toString()}`);
  return stdout;
}

/**
 * The environment of the process that measures, without what would change what is measured.
 * @param {import("./place.mjs").Place} place
 */
function quietEnvironment(place) {
  const env = Object.entries(process.env).filter(([name]) => !/^(?:CLEW_|GIT_|npm_|NODE_|FORCE_COLOR)/.test(name));
  return {
    ...Object.fromEntries(env),
    XDG_CONFIG_HOME: place.folder("config"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    NO_COLOR: "1",
  };
}
