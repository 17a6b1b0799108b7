import type { EngineStarts } from "../../app/engine/engine-starts.ts";
import type { RunSettings } from "../../contract/pinned-run.ts";
import type { CannotStart, Engine, EngineStart } from "./engine.ts";

/** What keeps engines from starting, as far as reading tells. */
export function engineStarts(engines: readonly Engine[]): EngineStarts {
  return {
    names: engines.map(({ name }) => name),
    problemOf(name, settings) {
      const engine = engines.find((each) => each.name === name);
      const start = engine && tryStart(engine, settings);
      return start && "reason" in start ? start.reason : undefined;
    },
  };
}

/** How an engine would start, or why it cannot. Starts nothing. */
export function tryStart(engine: Engine, settings: Pick<RunSettings, "script">): EngineStart | CannotStart {
  return engine.start({ task: { prompt: "", level: "work", until: "result" }, settings, folder: "." });
}
