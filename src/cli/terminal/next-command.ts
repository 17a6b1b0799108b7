import type { ListedRun } from "../../app/run-reading.ts";

/** The command with which a person takes up a run as it stands. */
export function nextCommand({ id, status }: Pick<ListedRun, "id" | "status">): string {
  const commands: Partial<Record<ListedRun["status"], string>> = {
    pending_merge: `clew run diff ${id} && clew run approve ${id}`,
    interrupted: `clew run resume ${id}`,
    running: `clew run log ${id} -f`,
  };
  return commands[status] ?? `clew run show ${id}`;
}
