import type { RunSettings } from "../../contract/pinned-run.ts";
import type { Engine } from "./engine.ts";

/** Why an engine cannot start; undefined when it can, or when there is no such engine. */
export function startProblem(engines: readonly Engine[], name: string, settings: RunSettings): string | undefined {
  const task = { prompt: "", level: "work", until: "result" } as const;
  const start = engines.find((engine) => engine.name === name)?.start({ task, settings, folder: "." });
  return start && "reason" in start ? start.reason : undefined;
}
