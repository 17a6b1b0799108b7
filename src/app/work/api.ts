import type { WorkApi, WorkNews } from "../../contract/api/work.ts";
import { streamOf } from "../run/stream.ts";
import { refuseForeignCookie, refuseNestedWork } from "./authority.ts";
import { driveWork } from "./drive.ts";
import type { WorkParts } from "./parts.ts";
import { planWork } from "./plan.ts";
import { completeClosedWork } from "./complete-closed-work.ts";
import { simulateWork } from "./simulate.ts";
import { syncWork } from "./sync.ts";

export function workApi(parts: WorkParts): WorkApi {
  return {
    async drive(request, options) {
      refuseNestedWork(await parts.caller());
      await completeClosedWork(parts, request.bead);
      const plan = await planWork(parts, request);
      return streamOf<WorkNews, void>((tell, signal) => driveWork(parts, plan, request, tell, signal), options?.signal);
    },
    simulate: (request) => simulateWork(parts, request),
    async sync(request) {
      refuseForeignCookie(await parts.caller(), request.cookie);
      return syncWork(parts, request);
    },
  };
}
