import type { CliContext } from "./context.ts";
import { makeColors } from "./terminal/colors.ts";
import { linesOf } from "./terminal/lines.ts";
import { marked, shown } from "./terminal/marks.ts";
import { isTerminal, writeExactly, writeJson, writeText } from "./terminal/output.ts";
import type { ProgressLine } from "./terminal/progress.ts";

/** How a command reaches the rest of the program, which is put together only when it is asked for. */
interface Doors {
  api: CliContext["api"];
  version: string;
  explain: (error: unknown) => unknown;
  readFile: (path: string) => Uint8Array;
  progress: ProgressLine;
}

/** The context of a real process. */
export function processContext({ api, version, explain, readFile, progress }: Doors): CliContext {
  const { env } = process;
  const isOwnTerminal = isTerminal(1);
  // The demo shows on a terminal what it reads from a pipe.
  const shownWidth = Number(env["CLEW_WIDTH"]) || 0;
  const onTerminal = isOwnTerminal || shownWidth > 0;
  let interruption: Promise<NodeJS.Signals> | undefined;
  return {
    api,
    env,
    cwd: process.cwd(),
    version,
    explain,
    interactive: isOwnTerminal && isTerminal(0),
    onTerminal,
    canRedraw: isOwnTerminal && env["TERM"] !== "dumb",
    hasPager: isOwnTerminal,
    width: isOwnTerminal ? Math.max(60, process.stdout.columns || 80) : Math.max(60, shownWidth || 200),
    colors: makeColors(hasColors(isOwnTerminal, env)),
    get errorColors() {
      return makeColors(hasColors(isTerminal(2), env));
    },
    nowMs: () => Date.now(),
    async write(text) {
      progress.clear();
      if (typeof text === "string") writeText(1, text);
      else writeExactly(1, text);
    },
    async writeJson(value) {
      progress.clear();
      writeJson(1, value);
    },
    async page(text) {
      if (!this.hasPager) return this.write(text);
      const pages = await this.paged();
      await pages.write(text);
      await pages.end();
    },
    async paged() {
      progress.clear();
      const write = (text: string): Promise<void> => this.write(text);
      if (!this.hasPager) return { write, isRead: async () => true, end: async () => undefined };
      const { PagedOutput } = await import("./terminal/pager.ts");
      return new PagedOutput({ env, rows: process.stdout.rows || 24, width: this.width, write });
    },
    say(line) {
      progress.clear();
      writeText(2, `${line}\n`);
    },
    muteProgress: () => progress.mute(),
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
    async proceed(hint) {
      writeText(1, `\n${hint}`);
      const isEntered = new Promise<boolean>((resolve) => {
        process.stdin.once("data", () => resolve(true));
        process.stdin.once("end", () => resolve(false));
        process.stdin.resume();
      });
      const goesOn = await Promise.race([isEntered, this.interrupted().then(() => false)]);
      process.stdin.pause();
      // The hint and what was typed go; after Ctrl-C they stand in the same line.
      writeText(1, `${goesOn ? marked("\x1b[2A") : ""}${marked("\r")}${marked("\x1b[J")}`);
      return goesOn;
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
