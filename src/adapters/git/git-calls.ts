import { spawn, type SpawnOptions } from "node:child_process";
import { markedBy } from "../shell/process-marks.ts";
import { runChild, type ChildRecord } from "../shell/run-child.ts";
import { gitEnvironment, withoutPrograms } from "./environment.ts";
import { retryHalfMadeWorktree } from "./retry-half-made-worktree.ts";

/** How a call of git ended. A call does not throw because git refused. */
export interface GitResult {
  /** Git's exit code; -1 when it was ended or could not be started. */
  code: number;
  stdout: Buffer;
  stderr: string;
  /** Git printed more than `maxBytes`. */
  cut?: true;
}

export interface GitOptions {
  stdin?: string | Buffer;
  /** Added to the environment. */
  env?: Record<string, string>;
  /** Git is ended when it prints more to stdout. */
  maxBytes?: number;
  /** Git is ended when it has not answered by then. */
  limitMs?: number;
}

/** The git program, called in a folder. */
export interface GitCalls {
  /** Git alone: it starts no hook and no monitor, and prints English. Filters may run, so that what it starts has a mark. */
  plain(folder: string, args: string[], options?: GitOptions): Promise<GitResult>;
  /**
   * Git with programs of the user: hooks, filters, merge drivers, signing. They are recorded before they do anything, and
   * end with all that they started.
   */
  guarded(folder: string, args: string[], options?: Pick<GitOptions, "env">): Promise<GitResult>;
}

export interface GitParts {
  env: Record<string, string | undefined>;
  /** Ends running calls. */
  signal: AbortSignal;
  /** A unique word for each call. */
  newMark: () => string;
  onProcess: (record: ChildRecord) => void;
  /** Called with what guarded calls print. */
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

export function gitCalls({ env, signal, newMark, onProcess, onOutput }: GitParts): GitCalls {
  const gitEnv = gitEnvironment(env);
  return {
    plain: (folder, args, options = {}) =>
      retryHalfMadeWorktree(() => {
        const plainEnv = { ...gitEnv, ...markedBy(gitEnv, newMark()), GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
        const spawnOptions = { env: { ...plainEnv, ...options.env }, signal };
        return callGit([...withoutPrograms, "-C", folder, ...args], spawnOptions, options);
      }),
    guarded: (folder, args, options = {}) => retryHalfMadeWorktree(() => guarded(folder, args, options)),
  };

  async function guarded(folder: string, args: string[], options: Pick<GitOptions, "env">): Promise<GitResult> {
    const stdout = new HeadAndTail();
    const stderr = new HeadAndTail();
    const end = await runChild(
      { command: ["git", ...args], folder, env: { ...gitEnv, ...options.env }, mark: newMark() },
      {
        signal,
        onStarted: onProcess,
        onStdout: (text) => {
          stdout.add(text);
          onOutput("stdout", text);
        },
        onStderr: (text) => {
          stderr.add(text);
          onOutput("stderr", text);
        },
      },
    );
    const isTooMuch = end.ended === "too_much_output";
    const code = isTooMuch ? 1 : end.ended === "exited" && end.signal === null ? (end.code ?? -1) : -1;
    const message = end.error ?? (isTooMuch ? `${stderr.text}\nit printed too much, and was ended` : stderr.text);
    return { code, stdout: Buffer.from(stdout.text), stderr: message };
  }
}

/** The beginning and the end of a text that may be long: git's answer stands first, what a hook complains of last. */
class HeadAndTail {
  #head = "";
  #tail = "";

  add(text: string): void {
    const headRoom = maxKeptChars - this.#head.length;
    this.#head += text.slice(0, headRoom);
    this.#tail = (this.#tail + text.slice(headRoom)).slice(-maxKeptChars);
  }

  get text(): string {
    return this.#head + this.#tail;
  }
}

const maxKeptChars = 64 * 1024;

function callGit(
  args: string[],
  spawnOptions: Pick<SpawnOptions, "env" | "signal">,
  { stdin, maxBytes = Infinity, limitMs }: GitOptions,
): Promise<GitResult> {
  return new Promise((resolve) => {
    const input = stdin === undefined ? "ignore" : "pipe";
    const child = spawn("git", args, { ...spawnOptions, stdio: [input, "pipe", "pipe"] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let remainingBytes = maxBytes;
    let cut = false;
    child.stdout!.on("data", (chunk: Buffer) => {
      stdout.push(chunk.subarray(0, remainingBytes));
      if (chunk.length > remainingBytes) cut = child.kill();
      remainingBytes = Math.max(0, remainingBytes - chunk.length);
    });
    child.stderr!.on("data", (chunk: Buffer) => stderr.push(chunk));
    const finish = (code: number, message = Buffer.concat(stderr).toString("utf8")): void => {
      clearTimeout(timer);
      resolve({ code: cut ? 0 : code, stdout: Buffer.concat(stdout), stderr: message, ...(cut && { cut }) });
    };
    const giveUp = (): void => {
      child.kill();
      // A process that git started may hold them open.
      child.stdout!.destroy();
      child.stderr!.destroy();
      finish(-1, `no answer within ${(limitMs ?? 0) / 1000} seconds`);
    };
    const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs);
    child.once("error", ({ message }) => finish(-1, message));
    child.once("close", (code) => finish(code ?? -1));
    // Git may end before it has read everything; its exit code tells.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(stdin);
  });
}
