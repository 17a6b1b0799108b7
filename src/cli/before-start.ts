import { writeSync } from "node:fs";

// What is answered before the rest of the program is loaded.

/** Whether only the version is asked for. */
export function asksForVersion(argv: string[]): boolean {
  return argv.length === 1 && ["--version", "-V", "version"].includes(argv[0]!);
}

/** Whether an engine calls: that is answered by a part of the program of its own. Help is for people. */
export function isHook(argv: string[]): boolean {
  return argv[0] === "hook" && !argv.some((word) => word === "--help" || word === "-h");
}

export function printVersion(version: string): void {
  try {
    writeSync(1, `${version}\n`);
  } catch (error) {
    // A reader that stops reading wants no more; that is no failure.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return;
    writeSync(2, `error: the version cannot be printed: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** A shell may stand in a folder that was removed; Node then throws at every question about it. */
export function hasFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}

export function refuseMissingFolder(argv: string[]): void {
  const message = "the current folder does not exist any more";
  const hint = "go to one that does, such as: cd ~";
  if (argv.includes("--json"))
    writeSync(1, `${JSON.stringify({ error: { code: "not_a_repository", message, hint } })}\n`);
  writeSync(2, `error: ${message}\n  ${hint}\n`);
  process.exitCode = 2;
}
