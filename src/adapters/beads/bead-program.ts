import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { ClewError } from "../../contract/errors.ts";
import { startObstacle } from "../shell/find-program.ts";
import { readFailure } from "./program-answers.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import { endGroup } from "../shell/end-group.ts";

/** Longer than any call should take, also the first one, which may start a server or bring its tables up to date. */
const patienceMs = 60_000;
/** How long a pipe that another process still holds must be silent after the program's end. */
const silenceMs = 100;
const maxOutputBytes = 64 * 1024 * 1024;

/** The exit code of `bd` while another process migrates its tables. */
const migrationExit = 14;

/** `bd` or `br`, called for the beads of one folder. */
export interface BeadProgram {
  name: "bd" | "br";
  /** Returns what the program printed. Throws a ProgramFailure when it fails, hangs or cannot be started. */
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

/** A call that failed; `isUnclear` when it may have done what it was told. */
export class ProgramFailure extends ClewError {
  readonly isUnclear: boolean;

  constructor(message: string, hint: string, { isUnclear = false, cause }: { isUnclear?: boolean; cause?: unknown }) {
    super("not_available", message, hint, { cause });
    this.isUnclear = isUnclear;
  }
}

export function beadProgram({ keeper, name, root, env, timeoutMs = patienceMs }: ProgramParts): BeadProgram {
  // BEADS_DIR names our folder, whatever the user's shell says. The program must not ask the user, and br must not log.
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
        // Arguments are too long for the system, or hold a NUL.
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
        // A server that the program left running may hold the pipes open for ever.
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
      // The program need not read its stdin; its exit code tells.
      child.stdin.on("error", () => undefined);
      child.stdin.end(stdin);
      child.once("error", (cause) => stopListening(() => reject(failure(args, cause.message, { cause }))));
      child.once("close", (code, signal) => finish(code, signal));
      child.once("exit", (code, signal) => {
        /** All output is in the pipes by now. A busy machine may need long to read it, so that time alone does not tell. */
        const finishWhenSilent = (): void => {
          const before = chunks;
          // After a timer, Node reads the pipes once before this runs.
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
  /** Why the program was killed. */
  abandonReason: string | undefined;
}

function migrationFailure(displayPath: string): [string, { hint: string }] {
  const file = `${displayPath.slice(0, displayPath.lastIndexOf("/") + 1)}MIGRATION-FREEZE`;
  return [`its tables are being changed (${file})`, { hint: "repeat the command when that is over" }];
}

export function isInstalled(name: string, root: string, env: Record<string, string | undefined>): boolean {
  return startObstacle({ command: [name], folder: root, env }) === undefined;
}

export function notInstalled(name: "bd" | "br", displayPath: string): ClewError {
  const source = name === "bd" ? "github.com/gastownhall/beads" : "github.com/Dicklesworthstone/beads_rust";
  return new ClewError(
    "not_available",
    `${displayPath}: these beads belong to a ${name} database, and ${name} is not installed`,
    `install ${name} (${source}) and repeat the command; what is written past the database would be lost`,
  );
}
