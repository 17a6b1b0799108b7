import type { HookQuestion } from "../hook/answer.ts";

/** Whether a call of a hook is one at which an agent is told where it stands. Looks at nothing else. */
export function asksForRehydration({ event, fields, caller }: HookQuestion): boolean {
  const { source } = fields;
  if (event === "PreCompact") return true;
  if (event !== "SessionStart") return false;
  // One that Clew resumes is told in its prompt.
  return source === "compact" || (source === "resume" && caller === undefined);
}
