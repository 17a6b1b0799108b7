import type { Check, CheckResult } from "../../app/doctor/examine.ts";
import { forgetFaults, readFaults } from "./fault-log.ts";

/** What went wrong when engines called hooks: they are never told, so that a person is. */
export function hookChecks(home: string): Check[] {
  return [{ name: "hooks", look: () => [faults(home)] }];
}

function faults(home: string): CheckResult {
  const noted = readFaults(home);
  const last = noted.at(-1);
  if (!last) return { status: "ok", message: "no call of an engine failed" };
  const calls = noted.length === 1 ? "a call of an engine was" : `${noted.length} calls of engines were`;
  return {
    status: "warning",
    message: `${calls} not kept; the last, ${last.event || "without an event"} at ${last.at}: ${last.what}`,
    hint: "put that right; clew doctor --repair forgets them",
    repair: () => {
      forgetFaults(home);
      return `forgot ${noted.length === 1 ? "a fault" : `${noted.length} faults`} of hooks`;
    },
  };
}
