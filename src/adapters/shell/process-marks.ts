import type { CallerStep } from "../../app/run/ports.ts";

type AgentKind = NonNullable<CallerStep["agent"]>;
const agentKinds: AgentKind[] = ["work", "talk", "turn"];

/** The variable with a child's own mark, after those of its ancestors, separated by blanks. */
export const markVariable = "CLEW_MARK";

/** Makes the mark of a process that is started for a step, so that all its descendants can be found. */
export type NewMark = (work: { runId: string; path: string }) => string;

/** `RUN:PATH:WORD`. Neither run ids nor paths have a colon or a blank; the word is unique. */
export function markOf({ runId, path }: Parameters<NewMark>[0], word: string): string {
  return `${runId}:${path}:${word}`;
}

/** The mark of an agent that no step started: its session stands for the run. No step is called so. */
export function agentMark(kind: AgentKind, session: string, word: string): string {
  return markOf({ runId: session, path: `@${kind}` }, word);
}

/** The step that a mark names, the same for all its attempts and processes. A mark of another form names itself. */
export function stepOfMark(mark: string): Pick<CallerStep, "run" | "step" | "agent"> {
  const [, run, path] = /^([a-z0-9-]+):([^:\s]+):[^:\s]+$/.exec(mark) ?? [];
  if (run === undefined) return { run: null, step: mark };
  const agent = agentKinds.find((kind) => path === `@${kind}`);
  return { run, step: `${run}:${path}`, ...(agent && { agent }) };
}

export function splitMarks(value: string | undefined): string[] {
  return (value ?? "").split(/\s+/).filter((mark) => mark !== "");
}

/** The variable for a child's environment: its own mark after those of its ancestors. */
export function markedBy(env: Record<string, string | undefined>, mark: string): Record<string, string> {
  return { [markVariable]: [...splitMarks(env[markVariable]), mark].join(" ") };
}
