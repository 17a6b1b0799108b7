import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunDetails } from "../../src/contract/api/run.ts";
import type { JournalLine, RunEvent } from "../../src/contract/run-journal.ts";
import { bead, writeBead, writeSteps } from "./grimoires.ts";
import { outcomeOf, type Outcome, type Repo, type RunOptions } from "./repo.ts";

/** A step as a grimoire's YAML has it; JSON is YAML too. */
export type StepSource = { name: string; type: string } & Record<string, unknown>;

export function script(name: string, command: string, more: Record<string, unknown> = {}): StepSource {
  return { name, type: "script", command, ...more };
}

/** The bead `proj-1`, and the grimoire `flow` with these steps. */
export function writeFlow(repo: Repo, ...steps: StepSource[]): void {
  writeBead(repo, bead);
  writeSteps(repo, steps.map((step) => `- ${JSON.stringify(step)}\n`).join(""));
}

export const flowArgs = ["run", "proj-1", "--grimoire", "flow"];

/** Works on `proj-1` by `flow`, whatever the exit code. */
export function runFlow(repo: Repo, more: string[] = [], options: RunOptions = {}): Promise<Outcome> {
  return repo.run([...flowArgs, ...more], options);
}

/** What `--json` streamed: the events, and the run at the end. */
export function readStream(stdout: string): { events: (RunEvent & { workflow_id: string })[]; run: RunDetails } {
  const values = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { run } = values.pop() as unknown as { run: RunDetails };
  return { events: values as unknown as (RunEvent & { workflow_id: string })[], run };
}

export async function showRun(repo: Repo, name = "latest"): Promise<RunDetails> {
  return (await repo.json<{ run: RunDetails }>("run", "show", name)).run;
}

/** A program that goes on while the test looks at it. */
export interface Started {
  child: ChildProcess;
  /** All that it printed so far, on both streams. */
  printed(): string;
  outcome: Promise<Outcome & { signal: NodeJS.Signals | null }>;
}

export function startClew(repo: Repo, args: string[], options: RunOptions = {}): Started {
  const child = repo.start(args, options);
  child.stdin!.end();
  let printed = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const outcome = outcomeOf(child).then((end) => ({ ...end, signal: child.signalCode }));
  return { child, printed: () => printed, outcome };
}

/** Less than a test has, so that a wait in vain tells what it was for, and what the test holds is let go in peace. */
const patienceMs = 90_000;

/** Looks again and again until it is so. Throws with the condition's own text when that does not come. */
export async function until(isSo: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  const inVain = new Error(`waited ${patienceMs / 1000} s in vain until ${isSo.toString()}`);
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > patienceMs) throw inVain;
    await new Promise((done) => setTimeout(done, everyMs));
  }
}

/** A file that steps write to, to be seen from outside. */
export function fileIn(repo: Repo, name: string): { path: string; exists(): boolean; lines(): string[] } {
  const path = join(repo.root, name);
  return {
    path,
    exists: () => existsSync(path),
    lines: () => (existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []),
  };
}

/** Lines of a journal for views: what they have in common is filled in. */
export function journalLines(...lines: (Partial<JournalLine> & { type: JournalLine["type"] })[]): JournalLine[] {
  return lines.map((line, at) => {
    const common = { at: "2026-11-15T10:00:00.000Z", path: "build", attempt: 1, running_ms: 0 };
    const numbered = line.type.startsWith("workflow.") ? { n: at + 1 } : {};
    return { ...common, ...numbered, ...line } as JournalLine;
  });
}
