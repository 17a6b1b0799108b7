import type { SchedulerApi, SchedulerNews } from "../../contract/api/scheduler.ts";
import { streamOf } from "../run/stream.ts";
import type { SchedulerParts } from "./ports.ts";
import { SchedulerWatch } from "./watch.ts";

/** Works on all that is ready, as much at once as is allowed: takes up runs, starts others, and never one bead twice. */
export function schedulerApi(parts: SchedulerParts): SchedulerApi {
  return {
    async run({ once }, { signal } = {}) {
      const letGo = parts.hold();
      return streamOf<SchedulerNews, void>(async (tell, stop) => {
        try {
          await new SchedulerWatch(parts, {
            once,
            signal: stop,
            tell: ({ type, ...facts }) =>
              tell({ type, at: new Date(parts.time.nowMs()).toISOString(), ...facts } as SchedulerNews),
            onLine(workflow_id, line) {
              if ("n" in line) tell({ ...line, workflow_id });
            },
          }).toItsEnd();
        } finally {
          letGo();
        }
      }, signal);
    },
  };
}
