import * as z from "zod/mini";
import type { Bead } from "../bead.ts";
import { visibleStatuses } from "../run.ts";
import { next } from "./paging.ts";

// What operations on beads are asked with, and what they answer.

const text = z.string();
const ids = z.array(text);

/** Fields that Clew does not know are kept, so that only these two are sure. */
export const bead = z.looseObject({ id: text, title: text }) as unknown as z.ZodMiniType<Bead>;

/** A line of a file of beads that is none, with the reason. */
export const unreadableBead = z.object({ place: text, reason: text });
export type UnreadableBead = z.infer<typeof unreadableBead>;

export const beadList = z.object({
  beads: z.array(bead),
  unreadable: z.array(unreadableBead),
  /** How many match, over all pages. */
  total: z.int(),
  /** By id, the status; of an open one that is not ready, what keeps it from that. Only when asked for. */
  standings: z.exactOptional(z.record(text, text)),
  ...next,
});
export type ListedBeads = z.infer<typeof beadList>;

const namedDependency = z.strictObject({ type: text, id: text });
/** A dependency as a person names it. */
export type NamedDependency = z.infer<typeof namedDependency>;

/** A bead with what can be told of it only by looking at the others. Lists are ids where nothing else is said. */
export const beadDetails = z.object({
  bead,
  ready: z.boolean(),
  /** Its status; of an open one that is not ready, what keeps it from that. */
  standing: text,
  parents: ids,
  blocked_by: ids,
  held_by_parent: ids,
  missing: ids,
  /** What it depends on and was deleted, and when; null when that was not noted. */
  deleted: z.array(z.object({ id: text, at: z.nullable(text) })),
  /** `a, b, a` when it waits for itself, over dependencies and parents; else empty. */
  circle: ids,
  blocks: ids,
  children: ids,
  /** Relations that no bead waits for. */
  related: z.array(namedDependency),
  /** Its latest run, and the command that takes it up. */
  run: z.exactOptional(z.object({ id: text, status: z.enum(visibleStatuses), next: text })),
  /** The work session that holds it, and the command that goes on with it. */
  work: z.exactOptional(z.object({ session: text, next: text })),
});
export type BeadDetails = z.infer<typeof beadDetails>;

/** A line of the picture of dependencies. */
export const graphLine = z.object({
  id: text,
  /** Of the bead; `deleted` when it was deleted, and `missing` when there never was one of this id. */
  status: text,
  /** When it was deleted, if that was noted. */
  deleted_at: z.exactOptional(text),
  title: text,
  ready: z.boolean(),
  /** It waits for itself, over dependencies and parents. */
  circular: z.boolean(),
  /** How it hangs below the one above: that one `needs` it or contains it (`part`), or the type of another relation. */
  relation: z.exactOptional(text),
  /** For each level above, whether more follows there; the last is this line's own. */
  more: z.array(z.boolean()),
  /** `again`: its own branches stand at its first place. `cycle`: it is on the way to itself. `deep`: cut here. */
  mark: z.exactOptional(z.enum(["again", "cycle", "deep"])),
});
export type GraphLine = z.infer<typeof graphLine>;

const clearable = z.exactOptional(z.nullable(text));
const fields = {
  title: z.exactOptional(text),
  description: clearable,
  design: clearable,
  acceptance_criteria: clearable,
  notes: clearable,
  issue_type: z.exactOptional(text),
  priority: z.exactOptional(z.number()),
  assignee: clearable,
  external_ref: clearable,
  estimated_minutes: z.exactOptional(z.nullable(z.number())),
  due_at: clearable,
  defer_until: clearable,
};
const fieldChanges = z.strictObject(fields);
/** What a command sets in a bead. Null takes a field away. Times are as a person writes them. */
export type FieldChanges = z.infer<typeof fieldChanges>;

/** Closed ones only with `all`, or when asked for by status. Of labels, all of them. */
export const beadFilter = z.object({
  status: z.optional(text),
  type: z.optional(text),
  labels: z.optional(ids),
  priority: z.optional(z.number()),
  assignee: z.optional(text),
  all: z.optional(z.boolean()),
});
export type BeadFilter = z.infer<typeof beadFilter>;

export const newBead = z.strictObject({
  ...fields,
  title: text,
  labels: z.optional(ids),
  dependencies: z.optional(z.array(namedDependency)),
  parent: z.optional(text),
  /** Whether the response tells the standing. */
  standing: z.optional(z.boolean()),
});
export type NewBead = z.infer<typeof newBead>;

/** Gives a bead a status that its run, which is not over, would not give it. The run stays. */
export const despiteRun = z.optional(z.boolean());

export const beadUpdate = z.strictObject({
  bead: text,
  fields: z.optional(fieldChanges),
  status: z.optional(text),
  /** Why it is closed; only with the status closed. */
  reason: z.optional(text),
  add_labels: z.optional(ids),
  remove_labels: z.optional(ids),
  despite_run: despiteRun,
});
export type BeadUpdate = z.infer<typeof beadUpdate>;

export const dependants = z.object({
  /** Ids of unfinished beads that wait for it or are a part of it. */
  depending: ids,
  /** Ids of beads that are not ready now, and would be without it. */
  released: ids,
});
export type Dependants = z.infer<typeof dependants>;

/** A run that is not over. */
export const unfinishedRun = z.object({ id: text, status: z.enum(visibleStatuses) });
export type UnfinishedRun = z.infer<typeof unfinishedRun>;

/** A bead, and the id of the one that it depends on, or did. */
export const dependencyChange = z.object({ bead, target: text });
export type DependencyChange = z.infer<typeof dependencyChange>;

export const importResult = z.object({
  added: z.int(),
  updated: z.int(),
  /** Not newer than what is here, or deleted here. */
  left: z.int(),
  passed_over: z.int(),
  /** Which ones. */
  ids: z.object({ added: ids, updated: ids, left: ids }),
});
export type BeadImportResult = z.infer<typeof importResult>;
