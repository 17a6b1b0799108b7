import type { CliContext, Input, Output, Terminal } from "./context.ts";
import { makeColors } from "./terminal/colors.ts";
import { streamLines } from "./terminal/lines.ts";
import { markSequence, sanitize } from "./terminal/escape-sequences.ts";
import { isTerminal, writeBinary, writeJson, writeText } from "./terminal/output.ts";
import type { ProgressLine } from "./terminal/progress.ts";

interface Parts extends Pick<CliContext, "api" | "program">, Pick<Input, "readFile"> {
  progress: ProgressLine;
}

/** The context of a real process. */
export function processContext({ api, program, readFile, progress }: Parts): CliContext {
  const { env } = process;
  const hasTerminal = isTerminal(1);
  const terminal = processTerminal(hasTerminal);
  return {
    api,
    program,
    env,
    cwd: process.cwd(),
    terminal,
    output: processOutput(terminal, { hasPager: hasTerminal, progress }),
    input: processInput(hasTerminal && isTerminal(0), readFile),
    exitCode: 0,
  };
}

function processTerminal(hasTerminal: boolean): Terminal {
  const { env } = process;
  // The demo reads this process through a pipe, and shows on its own terminal what it printed.
  const demoWidth = Number(env["CLEW_WIDTH"]) || 0;
  return {
    onTerminal: hasTerminal || demoWidth > 0,
    canRedraw: hasTerminal && env["TERM"] !== "dumb",
    width: hasTerminal ? Math.max(60, process.stdout.columns || 80) : Math.max(60, demoWidth || 200),
    colors: makeColors(hasColors(hasTerminal, env)),
    get errorColors() {
      return makeColors(hasColors(isTerminal(2), env));
    },
    get errorScreen() {
      return { onTerminal: isTerminal(2), width: Math.max(60, process.stderr.columns || 80) };
    },
    nowMs: () => Date.now(),
  };
}

function processOutput(
  { width }: Terminal,
  { hasPager, progress }: Pick<Output, "hasPager"> & { progress: ProgressLine },
): Output {
  return {
    hasPager,
    async write(text) {
      progress.clear();
      if (typeof text === "string") writeText(1, text);
      else writeBinary(1, text);
    },
    async writeJson(value) {
      progress.clear();
      writeJson(1, value);
    },
    async page(text) {
      if (!this.hasPager) return this.write(text);
      const pages = await this.openPager();
      await pages.write(text);
      await pages.end();
    },
    async openPager() {
      progress.clear();
      const write = (text: string): Promise<void> => this.write(text);
      if (!this.hasPager) return { write, isRead: async () => true, end: async () => undefined };
      const { PagedOutput } = await import("./terminal/pager.ts");
      return new PagedOutput({ env: process.env, rows: process.stdout.rows || 24, width, write });
    },
    say(line) {
      progress.clear();
      writeText(2, `${line}\n`);
    },
    sayForNow: (line) => progress.tell(line),
    muteProgress: () => progress.mute(),
  };
}

function processInput(interactive: boolean, readFile: Input["readFile"]): Input {
  let interruption: Promise<NodeJS.Signals> | undefined;
  let isLent = false;
  return {
    interactive,
    readFile,
    async readStdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    stdinLines: () => streamLines(process.stdin),
    async confirm(question) {
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await lines.question(sanitize(`${question} [y/N] `));
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
    async ask(question, signal) {
      const { createInterface } = await import("node:readline");
      await dropTypedAhead();
      // After Ctrl-D nothing more comes, and nothing would keep the program waiting for it.
      if (signal.aborted || process.stdin.readableEnded || process.stdin.destroyed) return undefined;
      // The terminal edits the line itself, so that Ctrl-C stays a signal.
      const lines = createInterface({ input: process.stdin, terminal: false });
      writeText(2, question);
      return new Promise((resolve) => {
        const close = (): void => lines.close();
        signal.addEventListener("abort", close);
        lines.once("line", resolve);
        lines.once("line", close);
        lines.once("close", () => {
          signal.removeEventListener("abort", close);
          process.stdin.pause();
          resolve(undefined);
        });
      });
    },
    async waitForEnter(hint) {
      writeText(1, `\n${hint}`);
      const enter = new Promise<boolean>((resolve) => {
        process.stdin.once("data", () => resolve(true));
        process.stdin.once("end", () => resolve(false));
        process.stdin.resume();
      });
      const isEnter = await Promise.race([enter, this.untilInterrupted().then(() => false)]);
      process.stdin.pause();
      // Erases the hint and what was typed; after Ctrl-C both stand in the same line.
      writeText(1, `${isEnter ? markSequence("\x1b[2A") : ""}${markSequence("\r")}${markSequence("\x1b[J")}`);
      return isEnter;
    },
    closeStdin: () => void process.stdin.destroy(),
    untilInterrupted: () =>
      (interruption ??= new Promise((resolve) => {
        const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
        const stop = (signal: NodeJS.Signals): void => {
          if (isLent && signal === "SIGINT") return;
          process.off(signal, stop);
          resolve(signal);
          // The writer of stdin may keep it open; that must not keep the program alive.
          process.stdin.destroy();
        };
        for (const each of signals) process.on(each, stop);
      })),
    async lendTerminal(work) {
      isLent = true;
      try {
        return await work();
      } finally {
        isLent = false;
      }
    },
  };
}

/** What was typed before a question stood there is no answer to it. */
async function dropTypedAhead(): Promise<void> {
  const drop = (): void => {};
  process.stdin.on("data", drop).resume();
  await new Promise((resolve) => setTimeout(resolve, typedAheadMs));
  process.stdin.off("data", drop).pause();
}

/** So long it takes at most until lines that were typed before arrive. */
const typedAheadMs = 50;

function hasColors(onTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  return env["FORCE_COLOR"] ? env["FORCE_COLOR"] !== "0" : onTerminal && env["TERM"] !== "dumb";
}
