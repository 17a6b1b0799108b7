import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { clean } from "../../src/cli/terminal/clean.ts";
import type { SessionDocument } from "../../src/contract/session.ts";
import { checkAnswer } from "./check-answer.ts";
import { node } from "./node.ts";
import { removeFolder } from "./remove-folder.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

/** What a command left behind. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Runs as another user of the machine; only root may. */
  uid?: number;
}

/** What a refused command says with `--json`. */
export interface Refusal {
  code: string;
  message: string;
  hint: string;
}

/** A throw-away git repository with the real program in it. `using` removes it. */
export class Repo {
  readonly root: string;

  /** What every command gets in its environment. */
  readonly env: Record<string, string> = {};

  /** Below a folder of its own choice, or that of the machine. */
  constructor(base = tmpdir()) {
    this.root = realpathSync(mkdtempSync(join(base, "clew test ")));
    cpSync(template(), join(this.root, ".git"), { recursive: true });
  }

  [Symbol.dispose](): void {
    removeFolder(this.root);
  }

  git(...args: string[]): string {
    return execFileSync("git", ["-C", this.root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  }

  /** Starts the program and does not wait. */
  start(args: string[], options: RunOptions = {}): ChildProcess {
    return startProgram(args, { ...options, env: { ...this.env, ...options.env }, cwd: options.cwd ?? this.root });
  }

  run(args: string[], options: RunOptions = {}): Promise<Outcome> {
    const child = this.start(args, options);
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(options.input ?? "");
    return outcomeOf(child);
  }

  /** Runs a command that must succeed and returns what it printed, without the last line end. */
  async clew(...args: string[]): Promise<string> {
    const outcome = await this.run(args);
    if (outcome.code !== 0) throw new Error(`clew ${args.join(" ")} exited ${outcome.code}: ${outcome.stderr}`);
    return outcome.stdout.replace(/\n$/, "");
  }

  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    return JSON.parse(await this.clew(...args, "--json")) as T;
  }

  /** Runs a command that must be refused, as wrong input unless `exit` says otherwise, and leave the record as it was. */
  async refused(args: string[], options: RunOptions = {}, exit = 2): Promise<Refusal> {
    const before = this.record();
    const { code, stdout, stderr } = await this.run([...args, "--json"], options);
    if (code !== exit)
      throw new Error(`clew ${args.join(" ").slice(0, 200)} exited ${code}, not ${exit}: ${stdout}${stderr}`);
    const { error } = JSON.parse(stdout) as { error: Refusal };
    if (!stderr.startsWith(`error: ${clean(error.message)}`)) throw new Error(`stderr tells something else: ${stderr}`);
    const after = this.record();
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (path) => before[path] !== after[path],
    );
    if (changed.length > 0)
      throw new Error(`refused with "${error.message}", yet these changed: ${changed.join(", ")}`);
    return error;
  }

  /** All that is the truth: the sessions' files with their write-ahead copies and transcripts, by path. */
  record(): Record<string, string> {
    const folders = [".clew", ".git/clew/live", ".git/clew/transcripts"].map((folder) => join(this.root, folder));
    return Object.fromEntries(
      folders
        .filter((folder) => existsSync(folder))
        .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
        .filter((file) => !file.name.endsWith(".state"))
        .map((file) => [join(file.parentPath, file.name), file.isFile()] as const)
        .map(([path, isFile]) => [path.slice(this.root.length + 1), isFile ? contentOf(path) : "no file"]),
    );
  }

  show(id: string): Promise<SessionDocument> {
    return this.json<SessionDocument>("session", "show", id);
  }

  /** Logs entries through `log --batch`; all must be taken. */
  async log(id: string, ...entries: object[]): Promise<void> {
    const input = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const outcome = await this.run(["session", "log", "--batch", "-s", id], { input });
    if (outcome.code !== 0) throw new Error(`batch exited ${outcome.code}: ${outcome.stderr}`);
  }

  /** Puts a session's file there by hand, as a person or another tool would. */
  place(id: string, fields: Record<string, unknown> = {}, body = ""): void {
    const frontmatter = {
      type: "session",
      session_id: id,
      started: "2026-11-01T10:00:00Z",
      status: "active",
      ...fields,
    };
    const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
    mkdirSync(join(this.root, ".clew/sessions", id), { recursive: true });
    writeFileSync(this.path(id), `---\n${lines.join("")}---\n${body}`);
  }

  /** Writes the repository's settings. */
  configure(text: string): void {
    mkdirSync(join(this.root, ".clew"), { recursive: true });
    writeFileSync(join(this.root, ".clew/config.yaml"), text);
  }

  path(id: string): string {
    return join(this.root, ".clew/sessions", id, "session.md");
  }

  read(id: string): string {
    return readFileSync(this.path(id), "utf8");
  }

  /** The folder that `git clean` cannot reach. */
  get home(): string {
    return join(this.root, ".git/clew");
  }
}

let madeTemplate: string | undefined;

/** The git folder of a repository with one empty commit. Copied, because four starts of git take ten times as long. */
function template(): string {
  if (madeTemplate !== undefined) return madeTemplate;
  const folder = mkdtempSync(join(tmpdir(), "clew-template-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]): unknown => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init", "-q", "-b", "main", "--template=");
  git("config", "user.email", "someone@example.com");
  git("config", "user.name", "Someone");
  git("commit", "-q", "--allow-empty", "-m", "first");
  for (const name of ["hooks", "info"]) mkdirSync(join(folder, ".git", name));
  return (madeTemplate = join(folder, ".git"));
}

/** Of what is too long to be held, only how long it is. */
function contentOf(path: string): string {
  const { size } = statSync(path);
  return size > 2 ** 28 ? `${size} bytes` : readFileSync(path, "latin1");
}

/** Nothing of the surrounding shell decides what a test sees. */
const cleanEnv: Record<string, string> = {
  PATH: process.env["PATH"] ?? "",
  HOME: tmpdir(),
  TMPDIR: tmpdir(),
  XDG_CONFIG_HOME: join(tmpdir(), "clew-no-config"),
  GIT_CONFIG_NOSYSTEM: "1",
  // Names those that a test started, so that none is left behind.
  CLEW_TEST_RUN: process.env["CLEW_TEST_RUN"] ?? "",
};

/** Starts the real program in a folder. */
export function startProgram(args: string[], { cwd, env, uid }: RunOptions & { cwd: string }): ChildProcess {
  return spawn(node, [program, ...args], {
    cwd,
    env: { ...cleanEnv, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
}

/** Resolves when the program has ended. What it printed with `--json` is checked against the table of operations. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const outcome = await endOf(child);
  const [, file, ...words] = child.spawnargs;
  if (file === program) await checkAnswer(words, outcome.stdout, outcome.code);
  return outcome;
}

function endOf(child: ChildProcess): Promise<Outcome> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout!.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr!.on("data", (chunk: Buffer) => stderr.push(chunk));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) =>
      done({ code, stdout: Buffer.concat(stdout).toString("utf8"), stderr: Buffer.concat(stderr).toString("utf8") }),
    );
  });
}

/** All texts that entries of a session say, in order. */
export function textsOf({ phases }: SessionDocument): string[] {
  return phases.flatMap(({ entries }) => entries.map((entry) => ("text" in entry ? entry.text : entry.kind)));
}
