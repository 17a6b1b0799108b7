import { attempt } from "../../text/attempt.ts";

/** Ends a process with its whole group, as far as they are still there. */
export function endGroup(pid: number | undefined): void {
  if (pid !== undefined) attempt(() => process.kill(-pid, "SIGKILL"), false);
}
