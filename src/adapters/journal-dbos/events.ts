import { fromRedacted, ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import { journalVersion } from "../../contract/run-journal.ts";
import { addressText } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { NewEvent } from "../../run/host-events.ts";

/** An event and its key, unique in the run: however often a run is replayed, the event is written once. */
export interface KeyedEvent<Body extends NewEvent = NewEvent> {
  key: string;
  event: Redacted<Body>;
}

export function withKey<Body extends NewEvent>(event: Redacted<Body>): KeyedEvent<Body> {
  return { key: "path" in event ? `${event.type} ${addressText(event)}` : event.type, event };
}

type RunStarted = Extract<NewEvent, { type: "workflow.started" }>;

export function runStartedEvent(runId: string, pinned: Redacted<PinnedRun>): KeyedEvent<RunStarted> {
  return withKey(
    ofRedactedParts({
      type: "workflow.started" as const,
      version: journalVersion,
      workflow_id: runId,
      bead_id: fromRedacted(pinned, ({ bead }) => bead.id),
      grimoire: fromRedacted(pinned, ({ grimoire }) => grimoire.name),
      pinned,
    }),
  );
}

/** The key of a loop's attempt; the loop's limit counts from the running time recorded with it. */
export function loopKey(path: string, attempt: number): string {
  return `workflow.step.started ${addressText({ path, attempt })}`;
}
