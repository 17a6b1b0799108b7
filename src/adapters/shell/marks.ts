/** Where a child finds its own mark, behind those of all that it runs within; a blank stands between them. */
export const markVariable = "CLEW_MARK";

/** Names the step that a process is started for, so that what it starts can be found and told apart. */
export type NewMark = (work: { runId: string; path: string }) => string;

/** `RUN:PATH:WORD`. Neither run ids nor paths have a colon or a blank; the word is nobody else's. */
export function markOf({ runId, path }: Parameters<NewMark>[0], word: string): string {
  return `${runId}:${path}:${word}`;
}

/** The step that a mark names, the same for all its attempts and processes. A mark of another form names itself. */
export function stepOfMark(mark: string): { run: string | null; step: string } {
  const [, run, path] = /^([a-z0-9-]+):([^:\s]+):[^:\s]+$/.exec(mark) ?? [];
  return run === undefined ? { run: null, step: mark } : { run, step: `${run}:${path}` };
}

export function splitMarks(value: string | undefined): string[] {
  return (value ?? "").split(/\s+/).filter((mark) => mark !== "");
}

/** The environment of a child: its own mark stands behind those of all that it runs within. */
export function markedBy(env: Record<string, string | undefined>, mark: string): Record<string, string> {
  return { [markVariable]: [...splitMarks(env[markVariable]), mark].join(" ") };
}
