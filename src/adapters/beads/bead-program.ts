import { spawn } from "node:child_process";
import { ClewError } from "../../contract/errors.ts";
import { whyNotStartable } from "../shell/find-program.ts";
import { readFailure } from "./program-answers.ts";
import type { Workspace } from "./workspace.ts";

/** Longer than any call should take, also the first one, which may start a server or bring its tables up to date. */
const patienceMs = 60_000;
const pipeGraceMs = 500;
const mostBytes = 64 * 1024 * 1024;

/** Its tables are being changed by another; so says `bd`. */
const migrationExit = 14;

/** `bd` or `br`, called for the beads of one folder. */
export interface BeadProgram {
  name: "bd" | "br";
  /** Gives what it printed. Throws what a person can act on when it fails, hangs or is not there. */
  call: (args: string[], stdin?: string) => Promise<string>;
}

export interface ProgramParts {
  workspace: Pick<Workspace, "folder" | "shown">;
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

export function beadProgram({ workspace, name, root, env, timeoutMs = patienceMs }: ProgramParts): BeadProgram {
  // Whatever the shell around us points at, these are the beads that are meant. Nothing asks a person, and br logs nothing.
  const own = {
    ...env,
    BEADS_DIR: workspace.folder,
    BEADS_DB: undefined,
    CI: "1",
    BD_NON_INTERACTIVE: "1",
    RUST_LOG: "error",
    NO_COLOR: "1",
  };
  const call: BeadProgram["call"] = (args, stdin) =>
    new Promise((resolve, reject) => {
      const child = spawn(name, args, { cwd: root, env: own, stdio: "pipe", detached: true });
      const stdout: Buffer[] = [];
      let stderr = "";
      let size = 0;
      const settle = (work: () => void): void => {
        clearTimeout(timer);
        work();
      };
      const fail = (why: string, more: { isUnclear?: boolean; cause?: unknown; hint?: string } = {}): void =>
        settle(() => {
          const hint = more.hint ?? `${name} doctor tells more; clew itself wrote nothing`;
          reject(new ProgramFailure(`${name} ${args[0]} failed: ${why}`, hint, more));
        });
      const giveUp = (why: string): void => {
        endGroup(child.pid);
        fail(why, { isUnclear: true });
      };
      const timer = setTimeout(() => giveUp(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
      child.stdout.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostBytes) giveUp("it prints without end");
        else stdout.push(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        stderr = (stderr + chunk.toString("utf8")).slice(-20_000);
      });
      // It need not read what it is given; its exit code tells.
      child.stdin.on("error", () => undefined);
      child.stdin.end(stdin ?? "");
      const finish = (code: number | null, signal: string | null): void => {
        const text = Buffer.concat(stdout).toString("utf8");
        if (code === 0) return settle(() => resolve(text));
        if (name === "bd" && code === migrationExit) return fail(...whileMigrating(workspace.shown));
        const { message, hint } = readFailure(text, stderr);
        fail(message || (signal ?? `exit code ${code}`), { isUnclear: code === null, ...(hint && { hint }) });
      };
      child.once("error", (cause) => fail(cause.message, { cause }));
      child.once("close", finish);
      // A server that it leaves running may hold the pipe for ever.
      child.once("exit", (code, signal) => setTimeout(finish, pipeGraceMs, code, signal).unref());
    });
  return { name, call };
}

function whileMigrating(shown: string): [string, { hint: string }] {
  const file = `${shown.slice(0, shown.lastIndexOf("/") + 1)}MIGRATION-FREEZE`;
  return [`its tables are being changed (${file})`, { hint: "repeat the command when that is over" }];
}

export function isInstalled(name: string, root: string, env: Record<string, string | undefined>): boolean {
  return whyNotStartable({ command: [name], folder: root, env }) === undefined;
}

/** Says what is missing. */
export function notInstalled(name: "bd" | "br", shown: string): ClewError {
  const source = name === "bd" ? "github.com/gastownhall/beads" : "github.com/Dicklesworthstone/beads_rust";
  return new ClewError(
    "not_available",
    `${shown}: these beads belong to a ${name} database, and ${name} is not installed`,
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
