import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { outcomeOf, startProgram, type Outcome } from "./repo.ts";
import { removeFolder } from "./remove-folder.ts";

/** A throw-away folder that is no repository by itself. `using` removes it. */
export class Folder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "clew folder ")));

  [Symbol.dispose](): void {
    removeFolder(this.path);
  }
}

/** Where the program is called, and what the shell around it says. */
export interface Caller {
  cwd: string;
  env?: Record<string, string>;
}

export function runClew({ cwd, env }: Caller, ...args: string[]): Promise<Outcome> {
  const child = startProgram(args, { cwd, env: { ...someone, ...env } });
  child.stdin!.end();
  return outcomeOf(child);
}

/** Runs a command that must succeed. */
export async function clew(caller: Caller, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runClew(caller, ...args);
  if (code !== 0) throw new Error(`clew ${args.join(" ")} exited ${code}: ${stdout}${stderr}`);
  return stdout.trimEnd();
}

/** Who commits, in repositories without settings of their own. */
const someone = {
  GIT_AUTHOR_NAME: "Someone",
  GIT_AUTHOR_EMAIL: "someone@example.com",
  GIT_COMMITTER_NAME: "Someone",
  GIT_COMMITTER_EMAIL: "someone@example.com",
};

export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, ...someone };
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
  }).trimEnd();
}

/** What a person would see as changed in a checkout, without Clew's own files. */
export function statusIn(checkout: string): string {
  return git(checkout, "status", "--short", "--", ":!.beads", ":!.clew");
}

export function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Undefined when there is no such file. */
export function textIn(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
