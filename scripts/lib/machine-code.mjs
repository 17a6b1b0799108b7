import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const recorder = fileURLToPath(new URL("record-code.cjs", import.meta.url));

/** Everyday commands, the most frequent first: what they run is compiled ahead. */
const commands = [
  ["session", "list"],
  ["session", "log", "phase", "Warm"],
  ["session", "log", "tool", "read", "--args", "a", "--result", "b"],
  ["session", "show", "latest", "--json"],
  ["session", "stats", "--by", "agent"],
  ["search", "warm"],
  ["inbox"],
  ["grimoire", "preview", "implement-bead", "--bead", "warm-1", "--engine", "scripted"],
  ["bead", "create", "Warm up more", "-t", "bug", "-p", "1"],
  ["bead", "list"],
  ["bead", "ready"],
  ["bead", "show", "warm-1"],
  ["bead", "update", "warm-1", "-p", "2"],
  ["run", "warm-1", "--grimoire", "warm"],
  ["run", "list"],
  ["run", "show", "latest"],
];

/** What an engine sends to a hook. */
const hookInput = {
  session_id: "warm",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
};

const steps = [
  { name: "warm", type: "script", command: "echo warm >warm.txt" },
  { name: "merge", type: "merge", require_review: false },
];
const grimoire = `name: warm\ndescription: Warms up.\nsteps: ${JSON.stringify(steps)}\n`;

const policy = "policy: [{command: git push …, decide: deny}]\n";

const bead = { id: "warm-1", title: "Warm up", description: "So that the first start is fast.", issue_type: "task" };

/**
 * Lets the program in `dist` run once, so that V8's code for its chunks can be kept beside them. What fails here only
 * makes the program start slower.
 * @param {string} dist
 */
export function keepMachineCode(dist) {
  const place = mkdtempSync(join(tmpdir(), "clew-build-"));
  const program = join(dist, "clew.cjs");
  // A preview wants to know what the engine would play. Nothing is left in the folders of whoever builds.
  const env = { ...process.env, CLEW_SCRIPT: join(place, "script.yaml"), XDG_STATE_HOME: join(place, "state") };
  /** @param {string[]} args */
  const run = (args) => void execFileSync(process.execPath, args, { cwd: place, env, stdio: "ignore" });
  const callHook = () =>
    void execFileSync(process.execPath, ["--require", recorder, program, "hook", "pre-tool-use"], {
      cwd: place,
      env,
      input: JSON.stringify(hookInput),
      stdio: ["pipe", "ignore", "ignore"],
    });
  /** @param {string[]} args */
  const git = (...args) => void execFileSync("git", ["-C", place, ...args], { stdio: "ignore" });
  try {
    git("init", "-q");
    git("config", "user.name", "Clew");
    git("config", "user.email", "clew@localhost");
    git("commit", "-q", "--allow-empty", "-m", "Begin");
    mkdirSync(join(place, ".beads"));
    writeFileSync(join(place, ".beads", "issues.jsonl"), `${JSON.stringify(bead)}\n`);
    mkdirSync(join(place, ".clew", "grimoires"), { recursive: true });
    writeFileSync(join(place, ".clew", "grimoires", "warm.yaml"), grimoire);
    run([program, "session", "start", "Warm up"]);
    run([program, "session", "list"]);
    for (const command of commands) run(["--require", recorder, program, ...command]);
    callHook();
    writeFileSync(join(place, ".clew", "config.yaml"), policy);
    callHook();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
