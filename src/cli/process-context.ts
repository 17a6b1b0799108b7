import type { App } from "../app/app.ts";
import type { Definitions } from "../app/definitions.ts";
import type { CliContext } from "./context.ts";
import { makeColors } from "./terminal/colors.ts";
import { linesOf } from "./terminal/lines.ts";
import { shown } from "./terminal/marks.ts";
import { isTerminal, writeExactly, writeText } from "./terminal/output.ts";

/** How a command reaches the rest of the program, which is put together only when it is asked for. */
interface Doors {
  open: () => Promise<App>;
  definitions: () => Promise<Definitions>;
  version: string;
  explain: (error: unknown) => unknown;
  readFile: (path: string) => Uint8Array;
}

/** The context of a real process. */
export function processContext({ open, definitions, version, explain, readFile }: Doors): CliContext {
  const { env } = process;
  const onTerminal = isTerminal(1);
  let app: Promise<App> | undefined;
  let interruption: Promise<NodeJS.Signals> | undefined;
  return {
    open: () => (app ??= open()),
    definitions,
    runs: async () => (await (app ??= open())).runs(),
    beads: async () => (await (app ??= open())).beads(),
    env,
    cwd: process.cwd(),
    version,
    explain,
    interactive: onTerminal && isTerminal(0),
    onTerminal,
    width: onTerminal ? Math.max(60, process.stdout.columns) : 200,
    colors: makeColors(hasColors(onTerminal, env)),
    get errorColors() {
      return makeColors(hasColors(isTerminal(2), env));
    },
    nowMs: () => Date.now(),
    write: async (text) => (typeof text === "string" ? writeText(1, text) : writeExactly(1, text)),
    say: (line) => writeText(2, `${line}\n`),
    async readStdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
    readFile,
    stdinLines: () => linesOf(process.stdin),
    async confirm(question) {
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await lines.question(shown(`${question} [y/N] `));
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
    interrupted: () =>
      (interruption ??= new Promise((resolve) => {
        const stop = (signal: NodeJS.Signals): void => {
          resolve(signal);
          // Whoever feeds stdin may hold it open; it must not hold the program.
          process.stdin.destroy();
        };
        process.once("SIGINT", stop);
        process.once("SIGTERM", stop);
        process.once("SIGHUP", stop);
      })),
    exitCode: 0,
  };
}

function hasColors(onTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  return env["FORCE_COLOR"] ? env["FORCE_COLOR"] !== "0" : onTerminal && env["TERM"] !== "dumb";
}
