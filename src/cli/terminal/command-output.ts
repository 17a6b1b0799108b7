import { stripVTControlCharacters } from "node:util";
import type { CliContext } from "../context.ts";
import { clean } from "./clean.ts";
import { block } from "./run-block.ts";

const quietMs = 2000;

/** What a command printed, without colours and moves of the cursor. Of a line that was drawn over, the last state counts. */
export function printable(text: string): string {
  const lines = stripVTControlCharacters(text).split("\n");
  return clean(lines.map(lastState).join("\n"));
}

function lastState(line: string): string {
  const drawn = line.endsWith("\r") ? line.slice(0, -1) : line;
  return drawn.slice(drawn.lastIndexOf("\r") + 1);
}

/** The output of a command as it comes, and after two quiet seconds that it still runs. */
export class CommandOutput {
  readonly #context: Pick<CliContext, "terminal" | "output">;
  #begunMs = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A line without its end: a sequence may be cut in it. */
  #open = "";

  constructor(context: Pick<CliContext, "terminal" | "output">) {
    this.#context = context;
  }

  begin(): void {
    this.#begunMs = this.#context.terminal.nowMs();
    this.#wait();
  }

  async write(text: string): Promise<void> {
    const all = this.#open + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#open = all.slice(end);
    if (end > 0) await this.#print(all.slice(0, end));
    this.#wait();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const rest = this.#open;
    this.#open = "";
    if (rest !== "") await this.#print(rest);
  }

  async #print(text: string): Promise<void> {
    const { terminal, output } = this.#context;
    const lines = block(terminal, printable(text), { indent: 2, bar: terminal.colors.dim("│") });
    await output.write(`${lines.join("\n")}\n`);
  }

  /** The line is drawn anew as time goes on, and goes with the next output. */
  #wait(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      const seconds = Math.round((this.#context.terminal.nowMs() - this.#begunMs) / 1000);
      this.#context.output.sayForNow(`  … still runs, ${seconds} s (Ctrl-C ends it)`);
    }, quietMs);
  }
}
