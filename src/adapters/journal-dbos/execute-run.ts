import { ofRedactedParts, type Redacted, type RedactValue } from "../../contract/redacted.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { interpret } from "../../run/interpreter.ts";
import { DbosPort } from "./dbos-port.ts";
import { DriveEnded, type Drive } from "./drive.ts";
import { connectionLost } from "./driver-session.ts";
import { endEvent } from "../../run/host-events.ts";
import { withKey } from "./events.ts";
import type { RunTables } from "./run-tables.ts";
import type { Sdk } from "./sdk.ts";

/** The clocks, redactor and process of a host. */
export interface HostEnvironment {
  nowMs: () => number;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  redact: RedactValue;
  pid: number;
  /** Names this run of the machine. */
  boot: string;
}

interface Parts extends HostEnvironment {
  sdk: Sdk;
  tables: RunTables;
}

/**
 * The function of a run's workflow. It returns only when the run ends. In every other case it throws the one error that DBOS
 * does not take for an outcome, so that the workflow stays unfinished.
 */
export async function executeRun(
  runId: string,
  pinned: Redacted<PinnedRun>,
  drive: Drive | undefined,
  parts: Parts,
): Promise<string> {
  const { DBOSWorkflowConflictError } = parts.sdk;
  // The drive that put the workflow into the queue has ended before.
  if (!drive) throw new DBOSWorkflowConflictError(runId);
  try {
    const status = await runToEnd(runId, pinned, drive, parts);
    drive.isEnded = true;
    drive.outcome.resolve({ kind: "stopped", status });
    return status;
  } catch (error) {
    if (error instanceof DriveEnded) await endDrive(runId, drive, error, parts);
    else drive.outcome.reject(toError(runId, error, parts.sdk));
    await drive.released.promise;
    throw new DBOSWorkflowConflictError(runId);
  }
}

/** Never throws: errors reject the drive's outcome. */
async function endDrive(runId: string, drive: Drive, { end }: DriveEnded, parts: Parts): Promise<void> {
  try {
    if (end.kind === "interrupted") await noteStop(runId, drive, parts);
    drive.outcome.resolve(end);
  } catch (error) {
    drive.outcome.reject(toError(runId, error, parts.sdk));
  }
}

/** Writes into the journal that a person stopped the run, which tells it from a crash. */
async function noteStop(runId: string, drive: Drive, { tables, nowMs, pid }: Parts): Promise<void> {
  if (!drive.stoppedByPerson) return;
  const at = new Date(nowMs()).toISOString();
  const line = ofRedactedParts({ type: "run.stopped", at, pid, reason: drive.stoppedByPerson.reason });
  await tables.lines(runId, [line]);
  drive.onLine(line);
}

async function runToEnd(
  runId: string,
  pinned: Redacted<PinnedRun>,
  drive: Drive,
  { sdk, tables, nowMs, elapsedMs, redact, pid, boot }: Parts,
): Promise<"completed" | "cancelled"> {
  const nowIso = (): string => new Date(nowMs()).toISOString();
  const recordedAt = await tables.recordedAt(runId);
  const line = ofRedactedParts({ type: "run.driven", at: nowIso(), pid, boot });
  await tables.lines(runId, [line]);
  drive.onLine(line);
  const port = new DbosPort({ sdk, tables, runId, pinned, drive, redact, nowIso, elapsedMs }, recordedAt);
  const status = await interpret(pinned, port);
  await port.recordEvent(withKey(endEvent(status, port.totals)));
  await tables.setStatus(runId, status);
  return status;
}

function toError(runId: string, error: unknown, sdk: Sdk): Error {
  if (error instanceof sdk.DBOSWorkflowConflictError) return connectionLost();
  if (error instanceof sdk.Error.DBOSUnexpectedStepError) {
    const message = `what is kept of ${runId} does not fit its steps: ${error.message}`;
    const hint = "go on with the version of the program that worked on it before, or cancel the run";
    return new ClewError("damaged_run", message, hint, { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}
