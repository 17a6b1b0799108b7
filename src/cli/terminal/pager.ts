import type { ChildProcess } from "node:child_process";
import type { PagedWriter } from "../context.ts";
import { shown } from "./marks.ts";
import { widthOf } from "./width.ts";

interface PagerParts {
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
  readonly #parts: PagerParts;
  readonly #command: string | undefined;
  /** What is not known yet to be longer than the screen. */
  #held = "";
  #heldRows = 0;
  #pager: Promise<Pager | undefined> | undefined;

  constructor(parts: PagerParts) {
    this.#parts = parts;
    this.#command = pagerCommand(parts.env);
  }

  async write(text: string): Promise<void> {
    if (this.#command === undefined) return this.#parts.write(text);
    if (this.#pager) return this.#pass(text);
    this.#held += text;
    this.#heldRows += rowsOf(text, this.#parts.width);
    // One row is the prompt's.
    if (this.#heldRows < this.#parts.rows) return;
    const { env } = this.#parts;
    this.#pager = startPager(this.#command, env);
    const held = this.#held;
    this.#held = "";
    await this.#pass(held);
  }

  /** Whether more is still of use: whoever left the pager wants no more. */
  async isRead(): Promise<boolean> {
    const pager = await this.#pager;
    return pager === undefined || (await pager.isUsed());
  }

  /** Everything is written, and the person has left the pager. */
  async end(): Promise<void> {
    if (this.#held !== "") await this.#parts.write(this.#held);
    this.#held = "";
    const pager = await this.#pager;
    await pager?.end();
    await this.#writeUnread(pager);
    this.#pager = undefined;
  }

  async #pass(text: string): Promise<void> {
    const pager = await this.#pager;
    if (!pager) return this.#parts.write(text);
    await pager.write(text);
    return this.#writeUnread(pager);
  }

  /** A shell started, and found no such program: the terminal gets all that it should have shown. */
  async #writeUnread(pager: Pager | undefined): Promise<void> {
    if (!pager?.isMissing) return;
    const text = pager.takeUnread();
    if (text !== "") await this.#parts.write(text);
  }
}

/** `CLEW_PAGER`, else `PAGER`, of the person's own environment; never of a repository. Undefined: none is wanted. */
function pagerCommand(env: PagerParts["env"]): string | undefined {
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
  /** What it would have shown, as long as it may turn out to be missing. */
  #unread: string[] = [];
  #unreadLength = 0;
  /** More was taken than lies in a pipe that nobody reads. */
  #isRead = false;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    // Whoever leaves the pager early closes the pipe.
    child.stdin!.on("error", () => (this.#isOpen = false));
    this.#ended = new Promise((resolve) => {
      child.once("close", (code) => {
        this.#isOpen = false;
        this.isMissing = !this.#isRead && (code === 127 || code === 126);
        resolve();
      });
    });
  }

  async write(text: string): Promise<void> {
    if (!this.#isRead) {
      this.#unread.push(text);
      this.#unreadLength += text.length;
    }
    if (!(await this.isUsed()) || this.isMissing) return;
    const isTaken = this.#child.stdin!.write(shown(text));
    const isPassed = isTaken || (await Promise.race([this.#drained(), this.#ended.then(() => false)]));
    if (!isPassed || this.#unreadLength < mostUnread) return;
    this.#isRead = true;
    this.#unread = [];
  }

  #drained(): Promise<boolean> {
    return new Promise((resume) => this.#child.stdin!.once("drain", () => resume(true)));
  }

  /** Whether more is of use. One that is missing shows nothing, but then the terminal does. */
  async isUsed(): Promise<boolean> {
    if (this.#isOpen) return true;
    // The pipe breaks before the system tells why.
    await this.#ended;
    return this.isMissing;
  }

  /** What nobody has shown. */
  takeUnread(): string {
    const text = this.#unread.join("");
    this.#unread = [];
    return text;
  }

  async end(): Promise<void> {
    this.#child.stdin!.end();
    await this.#ended;
  }
}

/** More than any system lets wait in a pipe, in characters. */
const mostUnread = 1 << 20;

/** Undefined when there is no such program. Ctrl-C is the pager's while it runs. */
async function startPager(command: string, env: PagerParts["env"]): Promise<Pager | undefined> {
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
