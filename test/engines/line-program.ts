import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createInterface } from "node:readline";
import type { Json } from "./model/wire.ts";
import type { RealEngine } from "./real-engine.ts";

/** A line that went to the program (`in`) or came from it (`out`). */
export interface Line {
  readonly dir: "in" | "out";
  readonly line: Json;
}

/** A program that speaks JSON lines on stdin and stdout, with all that was said. `await using` ends it. */
export class LineProgram {
  readonly lines: Line[] = [];
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child;
  #stderr = "";
  #read = 0;
  #hasEnded = false;
  readonly #wake = new EventEmitter();

  constructor({ program, env, folder }: Pick<RealEngine, "program" | "env" | "folder">, args: readonly string[]) {
    this.#child = spawn(program, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    createInterface(this.#child.stdout).on("line", (text) => this.#note({ dir: "out", line: parse(text) }));
    this.ended = once(this.#child, "close").then(([code, signal]) => {
      this.#hasEnded = true;
      this.#wake.emit("line");
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  send(line: Json): void {
    this.#note({ dir: "in", line });
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  closeStdin(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The first line of the program that fits, whenever it came. Throws when the program ends before. */
  find(fits: (line: Json) => boolean): Promise<Json> {
    return this.#find(fits, 0);
  }

  /** The first line that fits behind the one that the last call of this found. Throws when the program ends before. */
  next(fits: (line: Json) => boolean): Promise<Json> {
    return this.#find(fits, this.#read, (place) => (this.#read = place + 1));
  }

  async #find(fits: (line: Json) => boolean, from: number, found?: (place: number) => void): Promise<Json> {
    for (;;) {
      const place = this.lines.findIndex(({ dir, line }, index) => index >= from && dir === "out" && fits(line));
      if (place >= 0) {
        found?.(place);
        return this.lines[place]!.line;
      }
      if (this.#hasEnded) throw new Error(`it ended before the awaited line: ${this.stderr}`);
      await once(this.#wake, "line");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasEnded) this.kill("SIGKILL");
    await this.ended;
  }

  #note(line: Line): void {
    this.lines.push(line);
    this.#wake.emit("line");
  }
}

/** A line that is not JSON is kept as text. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}
