import { spawn } from "node:child_process";
import { markedBy } from "../shell/marks.ts";
import { runChild, type ChildRecord } from "../shell/run-child.ts";
import { gitEnvironment, withoutPrograms } from "./environment.ts";
import { retryHalfMadeWorktree } from "./half-made-worktree.ts";

/** How a call of git ended. What it says is a result: nothing here throws because git refused. */
export interface GitResult {
  /** 0 when it did what it was asked; -1 when it was ended or could not be started. */
  code: number;
  stdout: Buffer;
  stderr: string;
  /** It had more to say than was asked for. */
  cut?: true;
}

export interface GitOptions {
  stdin?: string | Buffer;
  /** Added to the environment. */
  env?: Record<string, string>;
  /** As much of stdout as is wanted: git is ended when it says more. */
  maxBytes?: number;
  /** Git is ended when it has not answered by then. */
  limitMs?: number;
}

/** The git program, called in a folder. */
export interface GitCalls {
  /**
   * Git alone, as far as it can be told to: no hook and no monitor runs, and what it prints is in English. Filters may, so that
   * what it starts has a mark as well.
   */
  plain(folder: string, args: string[], options?: GitOptions): Promise<GitResult>;
  /**
   * What may start programs of the user's: hooks, filters, merge drivers, signing. They are recorded before they do
   * anything, and end with all that they started.
   */
  guarded(folder: string, args: string[], options?: { env?: Record<string, string> }): Promise<GitResult>;
}

export interface GitParts {
  env: Record<string, string | undefined>;
  /** Ends what runs. */
  signal: AbortSignal;
  /** One word that nobody else has, for each guarded call. */
  newMark: () => string;
  onProcess: (record: ChildRecord) => void;
  /** What guarded calls print, as it comes. */
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

export function gitCalls({ env, signal, newMark, onProcess, onOutput }: GitParts): GitCalls {
  const gitEnv = gitEnvironment(env);
  return {
    plain: (folder, args, options = {}) =>
      retryHalfMadeWorktree(() =>
        callGit([...withoutPrograms, "-C", folder, ...args], {
          env: {
            ...gitEnv,
            ...markedBy(gitEnv, newMark()),
            GIT_OPTIONAL_LOCKS: "0",
            LC_ALL: "C",
            ...options.env,
          },
          stdin: options.stdin,
          maxBytes: options.maxBytes ?? Infinity,
          limitMs: options.limitMs,
          signal,
        }),
      ),
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

interface Call {
  env: Record<string, string | undefined>;
  stdin: string | Buffer | undefined;
  maxBytes: number;
  limitMs: number | undefined;
  signal: AbortSignal;
}

function callGit(args: string[], { env, stdin, maxBytes, limitMs, signal }: Call): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = spawn("git", args, { env, stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"], signal });
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
      // What git started may hold them open.
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
