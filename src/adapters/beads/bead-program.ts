import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { ClewError } from "../../contract/errors.ts";
import { whyNotStartable } from "../shell/find-program.ts";
import { readFailure } from "./program-answers.ts";
import type { BeadKeeper } from "./bead-keeper.ts";

/** Longer than any call should take, also the first one, which may start a server or bring its tables up to date. */
const patienceMs = 60_000;
/** How long a pipe that another process still holds must be silent after the program's end. */
const silenceMs = 100;
const maxOutputBytes = 64 * 1024 * 1024;

/** Its tables are being changed by another; so says `bd`. */
const migrationExit = 14;

/** `bd` or `br`, called for the beads of one folder. */
export interface BeadProgram {
  name: "bd" | "br";
  /** Gives what it printed. Throws what a person can act on when it fails, hangs or is not there. */
  call: (args: string[], stdin?: string) => Promise<string>;
}

export interface ProgramParts {
  keeper: Pick<BeadKeeper, "folder" | "displayPath">;
  name: "bd" | "br";
  /** The main checkout: from within a worktree it would look for another folder first. */
  root: string;
  env: Record<string, string | undefined>;
  /** Only tests have less. */
  timeoutMs?: number;
}

/** A call that failed; `isUnclear` when nobody knows whether it did what it was told. */
export class ProgramFailure extends ClewError {
  readonly isUnclear: boolean;

  constructor(message: string, hint: string, { isUnclear = false, cause }: { isUnclear?: boolean; cause?: unknown }) {
    super("not_available", message, hint, { cause });
    this.isUnclear = isUnclear;
  }
}

export function beadProgram({ keeper, name, root, env, timeoutMs = patienceMs }: ProgramParts): BeadProgram {
  // Whatever the shell around us points at, these are the beads that are meant. Nothing asks a person, and br logs nothing.
  const programEnv = {
    ...env,
    BEADS_DIR: keeper.folder,
    BEADS_DB: undefined,
    CI: "1",
    BD_NON_INTERACTIVE: "1",
    RUST_LOG: "error",
    NO_COLOR: "1",
  };
  const failure = (args: string[], why: string, details: FailureDetails = {}): ProgramFailure =>
    new ProgramFailure(`${name} ${args[0]} failed: ${why}`, details.hint ?? `${name} doctor tells more`, details);

  const call: BeadProgram["call"] = async (args, stdin) => {
    const { code, signal, stdout, stderr, abandonReason } = await startAndRead(args, stdin);
    if (abandonReason !== undefined) throw failure(args, abandonReason, { isUnclear: true });
    if (code === 0) return stdout;
    if (name === "bd" && code === migrationExit) throw failure(args, ...migrationFailure(keeper.displayPath));
    const { message, hint } = readFailure(stdout, stderr);
    throw failure(args, message || (signal ?? `exit code ${code}`), {
      isUnclear: code === null,
      ...(hint && { hint }),
    });
  };

  function startAndRead(args: string[], stdin = ""): Promise<ProgramResult> {
    return new Promise((resolve, reject) => {
      let child: ChildProcessWithoutNullStreams;
      try {
        child = spawn(name, args, { cwd: root, env: programEnv, stdio: "pipe", detached: true });
      } catch (cause) {
        // Arguments that are longer than the system takes, or no text for it.
        return reject(failure(args, (cause as Error).message, { cause }));
      }
      const stdout: Buffer[] = [];
      let stderr = "";
      let size = 0;
      let chunks = 0;
      let silence: NodeJS.Timeout | undefined;
      const stopListening = (work: () => void): void => {
        clearTimeout(timer);
        clearTimeout(silence);
        // A server that it left may hold the pipes for ever, and must not hold us.
        for (const stream of [child.stdout, child.stderr, child.stdin]) stream.destroy();
        work();
      };
      const finish = (code: number | null, signal: string | null, abandonReason?: string): void =>
        stopListening(() =>
          resolve({ code, signal, stdout: Buffer.concat(stdout).toString("utf8"), stderr, abandonReason }),
        );
      const giveUp = (why: string): void => {
        endGroup(child.pid);
        finish(null, null, why);
      };
      const timer = setTimeout(() => giveUp(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
      child.stdout.on("data", (chunk: Buffer) => {
        chunks++;
        size += chunk.length;
        if (size > maxOutputBytes) giveUp("it prints without end");
        else stdout.push(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        chunks++;
        stderr = (stderr + chunk.toString("utf8")).slice(-20_000);
      });
      // It need not read what it is given; its exit code tells.
      child.stdin.on("error", () => undefined);
      child.stdin.end(stdin);
      child.once("error", (cause) => stopListening(() => reject(failure(args, cause.message, { cause }))));
      child.once("close", (code, signal) => finish(code, signal));
      child.once("exit", (code, signal) => {
        /** All that it printed is in the pipes by now. A busy machine may need long to read it, so that no time alone tells. */
        const finishWhenSilent = (): void => {
          const before = chunks;
          // Behind a timer the pipes are read once before this.
          const checkSilence = (): void => (chunks === before ? finish(code, signal) : finishWhenSilent());
          silence = setTimeout(() => setImmediate(() => setImmediate(checkSilence)), silenceMs);
        };
        finishWhenSilent();
      });
    });
  }
  return { name, call };
}

interface FailureDetails {
  isUnclear?: boolean;
  cause?: unknown;
  hint?: string;
}

interface ProgramResult {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Why it was not waited for any longer. */
  abandonReason: string | undefined;
}

function migrationFailure(displayPath: string): [string, { hint: string }] {
  const file = `${displayPath.slice(0, displayPath.lastIndexOf("/") + 1)}MIGRATION-FREEZE`;
  return [`its tables are being changed (${file})`, { hint: "repeat the command when that is over" }];
}

export function isInstalled(name: string, root: string, env: Record<string, string | undefined>): boolean {
  return whyNotStartable({ command: [name], folder: root, env }) === undefined;
}

/** Says what is missing. */
export function notInstalled(name: "bd" | "br", displayPath: string): ClewError {
  const source = name === "bd" ? "github.com/gastownhall/beads" : "github.com/Dicklesworthstone/beads_rust";
  return new ClewError(
    "not_available",
    `${displayPath}: these beads belong to a ${name} database, and ${name} is not installed`,
    `install ${name} (${source}) and repeat the command; what is written past the database would be lost`,
  );
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended, and all that it started with it.
  }
}
