import * as z from "zod/mini";
import { runStatuses, visibleStatuses } from "../run.ts";
import { writesLocally, type ApiOf, type OperationTable } from "./operation.ts";
import { numberedEvent, type NumberedEvent } from "./run.ts";

const text = z.string();
const nullable = z.nullable(text);
const count = z.int();
const work = { bead_id: text, run_id: text };

const standing = {
  blocked: count,
  failed: count,
  pending_merge: count,
  interrupted: count,
  /** Of those: stopped by a person, who has to go on with them. */
  stopped: count,
  /** Beads and runs that could not be begun or gone on with, and are tried again later. */
  backed_off: count,
};

/** What is left, and what it waits for. */
export type SchedulerStanding = z.infer<z.ZodMiniObject<typeof standing>>;

const schedulerEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("scheduler.opened"),
    limit: count,
    /** Beads that are ready, runs to be taken up, runs that other processes drive. */
    ready: count,
    to_resume: count,
    driven_elsewhere: count,
  }),
  z.object({ type: z.literal("scheduler.started"), title: text, ...work }),
  z.object({ type: z.literal("scheduler.resumed"), was: z.enum(visibleStatuses), ...work }),
  z.object({
    type: z.literal("scheduler.rested"),
    status: z.enum(runStatuses),
    message: nullable,
    /** What a person can do now, as commands. */
    actions: z.array(text),
    ...work,
  }),
  z.object({ type: z.literal("scheduler.interrupted"), ...work }),
  z.object({
    type: z.literal("scheduler.backed_off"),
    bead_id: text,
    /** Null when there is no run yet. */
    run_id: nullable,
    message: text,
    hint: nullable,
    failures: count,
    wait_ms: z.number(),
  }),
  /** The bead is ready, but has had its run: there is no other before it changes. */
  z.object({ type: z.literal("scheduler.left"), bead_id: text, because: z.enum(["completed", "cancelled"]) }),
  /** Beads or runs cannot be read; it is tried again and again. */
  z.object({ type: z.literal("scheduler.trouble"), message: text, hint: nullable }),
  z.object({ type: z.literal("scheduler.idle"), ...standing }),
  z.object({ type: z.literal("scheduler.stopping"), driven: count }),
  z.object({ type: z.literal("scheduler.closed"), ...standing }),
]);
/** What the scheduler tells, beside the lines of the runs that it drives. */
export type SchedulerEvent = z.infer<typeof schedulerEvent>;

/** An event of its own with its time, or of a run that it drives. */
export const schedulerNews = z.union([z.intersection(schedulerEvent, z.object({ at: text })), numberedEvent]);
export type SchedulerNews = (SchedulerEvent & { at: string }) | NumberedEvent;

export const schedulerOperations = {
  run: {
    ...writesLocally,
    about: "Takes up interrupted runs, then ready beads by priority and age; with `once`, until nothing is left to do.",
    streams: true,
    request: z.strictObject({ once: z.boolean() }),
    response: schedulerNews,
    errors: ["not_possible_now", "damaged_beads"],
  },
} as const satisfies OperationTable;

export type SchedulerApi = ApiOf<typeof schedulerOperations>;
