import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ClewError } from "../../contract/errors.ts";
import type { CliContext } from "../context.ts";
import { markColors } from "../terminal/escape-sequences.ts";
import { wrapLines, wrapWords } from "../terminal/wrap.ts";

/** Where the demo plays: a throw-away git repository, and the real program called in it as a person would. */
export class DemoStage {
  readonly root: string;
  readonly isKept: boolean;
  readonly #context: CliContext;
  readonly #engine: string | undefined;
  #chapters = 0;
  #hasQuit = false;

  /** `engine` is the person's own; undefined: the scripted one. */
  constructor(context: CliContext, keep: string | undefined, engine: string | undefined) {
    this.#context = context;
    this.#engine = engine;
    this.isKept = keep !== undefined;
    this.root = keep === undefined ? mkdtempSync(join(tmpdir(), "clew-demo-")) : newFolder(resolve(context.cwd, keep));
    void context.input.untilInterrupted().then(() => (this.#hasQuit = true));
    this.quietGit("init", "-q", "-b", "main");
    this.quietGit("config", "user.name", "Demo");
    this.quietGit("config", "user.email", "demo@example.com");
    this.quietGit("config", "commit.gpgSign", "false");
    this.quietGit("commit", "-q", "--allow-empty", "-m", "Begin");
  }

  quietGit(...args: string[]): string {
    return execFileSync("git", ["-C", this.root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  }

  /** Runs git, and shows it and what it prints. */
  async git(...args: string[]): Promise<void> {
    await this.#show("git", args);
    const colorOptions = this.#context.terminal.colors.enabled ? ["-c", "color.ui=always"] : [];
    await this.print(this.quietGit(...colorOptions, ...args));
  }

  /** Runs a command, shows it and what it prints, and returns that. In the line, `"` keeps words together. */
  async clew(line: string, ...more: string[]): Promise<string> {
    const args = wordsOf(line).concat(more);
    await this.#show("clew", args);
    const output = this.run(args, "");
    await this.print(output);
    return output.trim();
  }

  /** Runs a command that takes its time and ends with this exit code; what it prints is shown as it comes. */
  async follow(code: number, line: string, ...more: string[]): Promise<void> {
    const args = wordsOf(line).concat(more);
    await this.#show("clew", args);
    const child = spawn(process.execPath, [process.argv[1]!, ...args], {
      cwd: this.root,
      env: this.#environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = `${stderr}${text}`.slice(-maxStderrChars)));
    const ended = new Promise<[number | null, string | null]>((end, fail) => {
      child.once("error", fail);
      child.once("close", (status, signal) => end([status, signal]));
    });
    for await (const text of createInterface({ input: child.stdout })) await this.print(`${text}\n`);
    const [status, signal] = await ended;
    this.#check(args, { status, signal, stderr, code });
  }

  run(args: string[], input: string, code = 0): string {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [process.argv[1]!, ...args], {
      cwd: this.root,
      input,
      encoding: "utf8",
      env: this.#environment(),
    });
    this.#check(args, { status, signal, stderr: `${stderr}${stdout.slice(-maxStderrChars)}`, code });
    return stdout;
  }

  /** Throws unless a command ended with the exit code that the story has. */
  #check(args: string[], { status, signal, stderr, code }: CommandEnd): void {
    // Ctrl-C reaches all that runs in the terminal.
    if (signal === "SIGINT" || (status === 130 && code !== 130)) throw new DemoQuit();
    if (status === code) return;
    const message = `the demo stopped at clew ${args.join(" ")}: ${stderr}`;
    if (this.#engine === undefined) throw new ClewError("internal", message, "clew doctor may tell more");
    const hint = "play it again, or with --keep DIR, to look at what the agent did: clew run log";
    throw new ClewError(
      "not_possible_now",
      `${message.trimEnd()} (exit ${status ?? signal}): ${this.#engine} went another way than the story`,
      hint,
    );
  }

  /** Starts a command and kills it, as a power cut would, once it has printed the marker. */
  async crash(args: string[], marker: string): Promise<void> {
    await this.#show("clew", args);
    const child = spawn(process.execPath, [process.argv[1]!, ...args], { cwd: this.root, env: this.#environment() });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (output.includes(marker)) child.kill("SIGKILL");
    });
    await new Promise((done) => child.once("close", done));
    await this.print(`${output}${this.#context.terminal.colors.red("Killed")}\n`);
  }

  /** Puts a file into the repository, as a person would with an editor. */
  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  #show(program: string, args: string[]): Promise<void> {
    const { colors, width, onTerminal } = this.#context.terminal;
    const line = `${program} ${args.map(quote).join(" ")}`;
    const lines = onTerminal ? wrapWords(line, width - 4) : [line];
    return this.#context.output.write(`${colors.dim("$")} ${lines.join("\n    ")}\n`);
  }

  /** Shows what a program printed, indented. */
  print(output: string): Promise<void> {
    const { onTerminal, width } = this.#context.terminal;
    const lines = wrapLines({ onTerminal, width: width - 2 }, markColors(output));
    return this.#context.output.write(lines.join("\n").replace(/^(?=.)/gm, "  "));
  }

  /** Begins a chapter. On a terminal, waits until the person has read the one before. Throws DemoQuit. */
  async tell(text: string): Promise<void> {
    const { colors, canRedraw, width, onTerminal } = this.#context.terminal;
    const { interactive } = this.#context.input;
    if (this.#chapters++ > 0 && interactive && canRedraw && !this.#hasQuit) {
      const isEnter = await this.#context.input.waitForEnter(`${colors.dim("Enter goes on, Ctrl-C leaves")} `);
      if (!isEnter) this.#hasQuit = true;
    }
    if (this.#hasQuit) throw new DemoQuit();
    const lines = wrapLines({ width, onTerminal }, text).map((line) => colors.bold(line));
    await this.#context.output.write(`\n${lines.join("\n")}\n`);
  }

  tidy(): void {
    if (!this.isKept) rmSync(this.root, { recursive: true, force: true });
  }

  #environment(): NodeJS.ProcessEnv {
    const { CLEW_SESSION: _, ...env } = this.#context.env;
    const colorVariables = this.#context.terminal.colors.enabled ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };
    // What it prints is shown indented by two.
    const widthVariables = this.#context.terminal.onTerminal
      ? { CLEW_WIDTH: String(this.#context.terminal.width - 2) }
      : {};
    // A person's own engine needs their settings.
    const settings = this.#engine === undefined ? { XDG_CONFIG_HOME: join(this.root, ".no-config") } : {};
    return { ...env, ...colorVariables, ...widthVariables, ...settings };
  }
}

interface CommandEnd {
  status: number | null;
  signal: string | null;
  /** What it printed there, and elsewhere if that is not shown. */
  stderr: string;
  /** The exit code that the story has. */
  code: number;
}

const maxStderrChars = 4_000;

/** Thrown when the person leaves the demo. */
export class DemoQuit extends Error {}

function newFolder(path: string): string {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new ClewError("invalid_input", `${path} is not empty`, "give a folder that does not exist yet");
  }
  mkdirSync(path, { recursive: true });
  return path;
}

/** `"` keeps words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, text = word]) => text);
}

function quote(word: string): string {
  return /^[\w@.,:/=+-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;
}
