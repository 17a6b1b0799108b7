import type { RedactValue } from "../../contract/redacted.ts";
import type { StepResult, StepWork } from "../../contract/run.ts";
import type { EndReason, Handler, WorkContext } from "../../run/handlers.ts";
import { redactNote } from "../../run/redact-note.ts";
import { noHandler } from "../../run/step-results.ts";
import { after } from "../system/timer.ts";
import type { Drive } from "./drive.ts";
import type { LogWriter } from "./log-writer.ts";

interface WorkParts extends Pick<WorkContext, "runId" | "pinned" | "landing" | "verification" | "agent"> {
  drive: Drive;
  log: LogWriter;
  redact: RedactValue;
  nowIso: () => string;
}

/**
 * Runs the handler of the work's kind, for at most `leftMs`. `ended` says why the work was ended early. All that the handler
 * logged is written when this resolves.
 */
export async function performWork(
  work: StepWork,
  leftMs: number,
  parts: WorkParts,
): Promise<{ result: StepResult; ended: EndReason | undefined }> {
  const { runId, pinned, drive, log, landing, verification, agent, redact, nowIso } = parts;
  const handler = drive.handlers[work.input.kind] as Handler<typeof work.input> | undefined;
  if (!handler) return { result: noHandler(work), ended: undefined };
  const controller = new AbortController();
  const onStop = (): void => controller.abort(drive.stopped.reason);
  if (drive.stopped.aborted) onStop();
  drive.stopped.addEventListener("abort", onStop);
  const stopTimer = after(leftMs, () => controller.abort("timeout" satisfies EndReason));
  const { path, attempt } = work;
  const add: WorkContext["log"] = (note) => {
    log.add({ ...redactNote(note, redact), at: nowIso(), path, attempt });
  };
  try {
    const working = handler(work, {
      runId,
      pinned,
      signal: controller.signal,
      log: add,
      async logNow(note) {
        add(note);
        await log.flush();
      },
      landing,
      verification,
      ...(agent && { agent }),
    });
    drive.currentWork = working;
    const result = await working;
    return { result, ended: controller.signal.aborted ? (controller.signal.reason as EndReason) : undefined };
  } finally {
    stopTimer();
    drive.stopped.removeEventListener("abort", onStop);
    await log.flush();
  }
}
