import { createColors } from "picocolors";
import type { App } from "../app/app.ts";
import type { CliContext } from "./context.ts";

/** The context of a real process. `open` finds the repository; `version` is the program's. */
export function processContext(open: () => Promise<App>, version: string): CliContext {
  const { env, stdin, stdout, stderr } = process;
  let app: Promise<App> | undefined;
  let interruption: Promise<void> | undefined;
  return {
    open: () => (app ??= open()),
    env,
    cwd: process.cwd(),
    version,
    interactive: stdin.isTTY && stdout.isTTY,
    width: stdout.isTTY ? Math.max(60, stdout.columns) : 200,
    colors: createColors(hasColors(stdout.isTTY, env)),
    errorColors: createColors(hasColors(stderr.isTTY, env)),
    nowMs: () => Date.now(),
    write: (text) =>
      new Promise((resolve) => {
        if (stdout.write(text)) resolve();
        else stdout.once("drain", resolve);
      }),
    say: (line) => void stderr.write(`${line}\n`),
    async readStdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
    stdinLines: () => linesOf(stdin),
    async confirm(question) {
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: stdin, output: stderr });
      const answer = await lines.question(`${question} [y/N] `);
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
    interrupted: () =>
      (interruption ??= new Promise((resolve) => {
        process.once("SIGINT", () => resolve());
        process.once("SIGTERM", () => resolve());
      })),
    exitCode: 0,
  };
}

function hasColors(isTTY: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  return env["FORCE_COLOR"] ? env["FORCE_COLOR"] !== "0" : isTTY && env["TERM"] !== "dumb";
}

/** No line may be longer than this, or a stream without line ends would fill the memory. */
const longestLine = 16 * 1024 * 1024;

async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<(string | null)[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let tooLong = false;
  for await (const chunk of stream) {
    const lines: (string | null)[] = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (tooLong && lines.length > 0) {
      lines[0] = null;
      tooLong = false;
    }
    if (tooLong || rest.length > longestLine) {
      tooLong = true;
      rest = "";
    }
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (tooLong) yield [null];
  else if (rest !== "") yield [rest];
}
