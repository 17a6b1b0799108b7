import type { ChildProcess } from "node:child_process";
import type { PagedWriter } from "../context.ts";
import { sanitize } from "./escape-sequences.ts";
import { widthOf } from "./width.ts";

interface PagerOptions {
  env: Record<string, string | undefined>;
  rows: number;
  width: number;
  /** To the terminal itself. */
  write: (text: string) => Promise<void>;
}

/**
 * What is longer than the screen goes through the person's pager, as with git. Shorter texts go to the terminal as they
 * are, and start nothing. A pager that cannot be started, or that is left early, is no failure.
 */
export class PagedOutput implements PagedWriter {
  readonly #options: PagerOptions;
  readonly #command: string | undefined;
  /** Text that may still fit on the screen. */
  #buffer = "";
  #bufferRows = 0;
  #pager: Promise<Pager | undefined> | undefined;

  constructor(options: PagerOptions) {
    this.#options = options;
    this.#command = pagerCommand(options.env);
  }

  async write(text: string): Promise<void> {
    if (this.#command === undefined) return this.#options.write(text);
    if (this.#pager) return this.#passOn(text);
    this.#buffer += text;
    this.#bufferRows += rowsOf(text, this.#options.width);
    // One row is the prompt's.
    if (this.#bufferRows < this.#options.rows) return;
    this.#pager = startPager(this.#command, this.#options.env);
    const buffered = this.#buffer;
    this.#buffer = "";
    await this.#passOn(buffered);
  }

  async isRead(): Promise<boolean> {
    const pager = await this.#pager;
    return pager === undefined || (await pager.isUsed());
  }

  async end(): Promise<void> {
    if (this.#buffer !== "") await this.#options.write(this.#buffer);
    this.#buffer = "";
    const pager = await this.#pager;
    await pager?.end();
    await this.#writeUnshown(pager);
    this.#pager = undefined;
  }

  async #passOn(text: string): Promise<void> {
    const pager = await this.#pager;
    if (!pager) return this.#options.write(text);
    await pager.write(text);
    return this.#writeUnshown(pager);
  }

  /** When the shell found no such program, the terminal gets all that the pager should have shown. */
  async #writeUnshown(pager: Pager | undefined): Promise<void> {
    if (!pager?.isMissing) return;
    const text = pager.takeUnshown();
    if (text !== "") await this.#options.write(text);
  }
}

/** `CLEW_PAGER`, else `PAGER`, of the person's own environment; never of a repository. Undefined: none is wanted. */
function pagerCommand(env: PagerOptions["env"]): string | undefined {
  if (env["TERM"] === "dumb") return undefined;
  const command = (env["CLEW_PAGER"] ?? env["PAGER"] ?? "less").trim();
  return command === "" || command === "cat" ? undefined : command;
}

/** As many rows as the terminal shows a text in. */
function rowsOf(text: string, width: number): number {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / width)), 0);
}

class Pager {
  isMissing = false;
  #isOpen = true;
  /** All that was written to it, as long as its program may turn out to be missing. */
  #unshown: string[] = [];
  #unshownLength = 0;
  /** The pager has read: it took more than a pipe can hold. */
  #isRead = false;
  readonly #child: ChildProcess;
  readonly #end: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    // A person who leaves the pager early closes the pipe.
    child.stdin!.on("error", () => (this.#isOpen = false));
    this.#end = new Promise((resolve) => {
      child.once("close", (code) => {
        this.#isOpen = false;
        this.isMissing = !this.#isRead && (code === 127 || code === 126);
        resolve();
      });
    });
  }

  async write(text: string): Promise<void> {
    if (!this.#isRead) {
      this.#unshown.push(text);
      this.#unshownLength += text.length;
    }
    if (!(await this.isUsed()) || this.isMissing) return;
    const hasRoom = this.#child.stdin!.write(sanitize(text));
    const isAccepted = hasRoom || (await Promise.race([this.#waitForDrain(), this.#end.then(() => false)]));
    if (!isAccepted || this.#unshownLength < maxPipeCharacters) return;
    this.#isRead = true;
    this.#unshown = [];
  }

  #waitForDrain(): Promise<boolean> {
    return new Promise((resume) => this.#child.stdin!.once("drain", () => resume(true)));
  }

  /** Whether more text would be shown: by the pager, or by the terminal where the program is missing. */
  async isUsed(): Promise<boolean> {
    if (this.#isOpen) return true;
    // The pipe breaks before the system tells why.
    await this.#end;
    return this.isMissing;
  }

  /** Returns the text that was shown nowhere, once. */
  takeUnshown(): string {
    const text = this.#unshown.join("");
    this.#unshown = [];
    return text;
  }

  async end(): Promise<void> {
    this.#child.stdin!.end();
    await this.#end;
  }
}

/** More than any system lets wait in a pipe, in characters. */
const maxPipeCharacters = 1 << 20;

/** Undefined when there is no such program. Ctrl-C is the pager's while it runs. */
async function startPager(command: string, env: PagerOptions["env"]): Promise<Pager | undefined> {
  const { spawn } = await import("node:child_process");
  const isPlain = /^[\w./+:=,@% -]+$/.test(command);
  const [program = "", ...args] = isPlain ? command.split(/ +/) : ["/bin/sh", "-c", command];
  const child = spawn(program, args, {
    stdio: ["pipe", "inherit", "inherit"],
    // As git does: quit when all fits, pass colours, leave the screen as it is.
    env: { ...env, LESS: env["LESS"] ?? "FRX", LV: env["LV"] ?? "-c" },
  });
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
  if (!isStarted) return undefined;
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  child.once("close", () => process.off("SIGINT", ignore));
  return new Pager(child);
}
