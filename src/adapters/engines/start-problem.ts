import type { EngineStarts } from "../../app/engine/engine-starts.ts";
import type { Engine } from "./engine.ts";

/** What keeps engines from starting, as far as reading tells. */
export function engineStarts(engines: readonly Engine[]): EngineStarts {
  return {
    names: engines.map(({ name }) => name),
    problemOf(name, settings) {
      const task = { prompt: "", level: "work", until: "result" } as const;
      const start = engines.find((engine) => engine.name === name)?.start({ task, settings, folder: "." });
      return start && "reason" in start ? start.reason : undefined;
    },
  };
}
