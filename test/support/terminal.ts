import { execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";
import { outcomeOf, type Repo } from "./repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

/** `script` gives a program a terminal; not every machine has it. */
export const hasTerminals = works("script", "-qec", "true", "/dev/null");

function works(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  /** What is typed when a text appears, each once and in order. `does` is done before. */
  types?: [seen: string, typed: string, does?: (() => void) | undefined][];
}

/** Runs the program on a terminal of its own. `written` has what came there, sequences too; `lines` what can be read. */
export async function onTerminal(
  repo: Repo,
  args: string[],
  { columns = 80, rows = 24, env = {}, types = [] }: TerminalOptions = {},
): Promise<{ code: number | null; written: string; lines: string[] }> {
  const quoted = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols ${columns} rows ${rows}; exec ${quoted}`, "/dev/null"], {
    cwd: repo.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: repo.root, TERM: "xterm", GIT_CONFIG_NOSYSTEM: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  const awaited = [...types];
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString("utf8");
    const [next] = awaited;
    if (next === undefined || !printed.includes(next[0])) return;
    awaited.shift();
    printed = "";
    next[2]?.();
    child.stdin.write(next[1]);
  });
  const { code, stdout } = await outcomeOf(child);
  const written = stdout.replaceAll("\r\n", "\n");
  const lines = written
    .replace(/\x1b\[[\d;?]*[A-Za-z]/g, "")
    .trimEnd()
    .split("\n");
  return { code, written, lines };
}
