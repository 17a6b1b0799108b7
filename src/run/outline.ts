import type { OutlineStep } from "../contract/api/run.ts";
import type { Step } from "../contract/grimoire.ts";
import type { RunStep } from "../contract/run-digest.ts";

/** Every step of a grimoire with the status of its last attempt. */
export function outlineOf(steps: Step[], attempts: RunStep[]): OutlineStep[] {
  const last = new Map(attempts.map(({ path, status }) => [path.replaceAll(/\[\d+\]/g, ""), status]));
  const below = (list: Step[], prefix: string): OutlineStep[] =>
    list.flatMap((step) => {
      const path = prefix + step.name;
      const own = { path, kind: step.type, status: last.get(path) ?? ("not_begun" as const) };
      return [own, ...(step.type === "loop" ? below(step.steps, `${path}/`) : [])];
    });
  return below(steps, "");
}
