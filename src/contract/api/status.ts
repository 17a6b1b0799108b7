import * as z from "zod/mini";
import { bead } from "./bead-shapes.ts";
import { anyInboxItem } from "./inbox.ts";
import { reads, type ApiOf, type OperationTable } from "./operation.ts";
import { listedRun } from "./run.ts";
import { listedSession, unreadableFile } from "./session-list.ts";

/** A run that is not over and waits for no person; `interrupted` when no process drives it. */
const runningRun = z.strictObject({
  kind: z.literal("run"),
  ...listedRun.shape,
  /** The step at hand: `fix-loop[2]/fix`. */
  step: z.nullable(z.string()),
});
export type RunningRun = z.infer<typeof runningRun>;

/** What there is to know in the morning. */
const overview = z.strictObject({
  needs_you: z.array(anyInboxItem),
  running: z.array(z.union([runningRun, listedSession])),
  ready: z.array(bead),
  /** Since yesterday, or the last few; newest first. */
  ended: z.array(listedSession),
  /** How many have ended since yesterday; `ended` has the newest of them. */
  ended_since_yesterday: z.int(),
  /** Sessions of the last 30 days that wait to be resumed; newest first. */
  paused: z.array(listedSession),
  unreadable: z.array(unreadableFile),
});
export type Overview = z.infer<typeof overview>;

export const statusOperations = {
  show: {
    ...reads,
    about: "What needs a person, what runs, what is paused, what is ready, what ended.",
    request: z.strictObject({}),
    response: overview,
    errors: ["damaged_beads"],
  },
} as const satisfies OperationTable;

export type StatusApi = ApiOf<typeof statusOperations>;
