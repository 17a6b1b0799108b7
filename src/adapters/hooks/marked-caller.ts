import type { MarkedCaller } from "../../app/hook/ports.ts";
import { markVariable, splitMarks, stepOfMark } from "../shell/process-marks.ts";

/** The agent of Clew's below which this process runs, as its environment tells; undefined when the user started it. */
export function markedCaller(env: Record<string, string | undefined>): MarkedCaller | undefined {
  const mark = splitMarks(env[markVariable]).at(-1);
  if (mark === undefined) return undefined;
  const { run, step, agent } = stepOfMark(mark);
  // A mark of another form: it is Clew's, but tells not whose.
  if (run === null) return { owner: "unknown", step: null };
  const path = step.slice(run.length + 1);
  const named = env["CLEW_STEP"] ?? "";
  const isSame = named.replace(/#\d+$/, "") === path;
  return { owner: run, step: agent ? null : isSame ? named : path };
}
