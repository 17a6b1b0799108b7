import type { LoopStep, Step } from "../../src/contract/grimoire.ts";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import type { Signal } from "../../src/contract/run.ts";
import type { DriveEnd, DriveOptions, RunHost } from "../../src/run/run-host.ts";

export const completed: DriveEnd = { kind: "stopped", status: "completed" };
export const cancelled: DriveEnd = { kind: "stopped", status: "cancelled" };
export const blocked: DriveEnd = { kind: "stopped", status: "blocked" };
export const pendingMerge: DriveEnd = { kind: "stopped", status: "pending_merge" };

export const retry = (inputs = {}): Signal => ({ kind: "retry", inputs });

export function loop(name: string, steps: Step[], more: Partial<LoopStep> = {}): LoopStep {
  return { name, type: "loop", steps, max_iterations: 3, on_max_iterations: "block", ...more };
}

export function at(path: string, attempt = 1): { path: string; attempt: number } {
  return { path, attempt };
}

/** Drives a run whose driver has just died: a store may take a moment to notice. */
export async function goOn(host: RunHost, runId: string, options: DriveOptions): Promise<DriveEnd> {
  for (;;) {
    const end = await host.drive(runId, options);
    if (end.kind !== "busy") return end;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What must be the same however a run was interrupted; a step that was begun again may be told again. */
export function story(events: RunEvent[]): unknown[] {
  const told = new Set<string>();
  return events.flatMap((event) => {
    const text = JSON.stringify(event, (key, value: unknown) => (passing.has(key) ? undefined : value));
    if (event.type === "workflow.step.started" && told.has(text)) return [];
    told.add(text);
    return [JSON.parse(text) as unknown];
  });
}

/** Fields that no two runs have in common. */
const passing = new Set(["n", "at", "running_ms", "duration_ms", "workflow_id", "actions"]);
