import * as z from "zod/mini";
import {
  bead,
  beadFilter,
  beadList,
  beadUpdate,
  despiteRun,
  dependants,
  dependencyChange,
  graphLine,
  importResult,
  newBead,
  beadDetails,
  unfinishedRun,
  unreadableBead,
} from "./bead-shapes.ts";
import { reads, readsLocally, writes, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";
import { page } from "./paging.ts";

const text = z.string();
const lookupErrors = ["unknown_bead", "ambiguous_bead", "damaged_beads"] as const;
const writeErrors = [...lookupErrors, "not_possible_now"] as const;
const statusErrors = [...writeErrors, "damaged_run"] as const;
const beadRequest = z.strictObject({ bead: text });

const lines = { lines: z.custom<Uint8Array>(), place: text };

export const beadOperations = {
  create: {
    ...writes,
    about: "Makes a bead.",
    request: newBead,
    response: z.object({
      bead,
      /** What a person asked for elsewhere and could not be had. */
      warning: z.exactOptional(text),
      /** `open` when it is ready, else what keeps it from that. Only when asked for. */
      standing: z.exactOptional(text),
    }),
    errors: writeErrors,
  },
  list: {
    ...reads,
    about: "Lists beads, the most urgent first. Closed ones only with `all`, or when asked for by status.",
    paged: true,
    request: z.strictObject({ ...beadFilter.shape, standings: z.optional(z.boolean()), ...page }),
    response: beadList,
    errors: ["damaged_beads"],
  },
  ready: {
    ...reads,
    about: "Lists beads that could be worked on now, the most urgent first.",
    paged: true,
    request: z.strictObject({ standings: z.optional(z.boolean()), ...page }),
    response: beadList,
    errors: ["damaged_beads"],
  },
  find: {
    ...reads,
    about: "Names the bead that is meant by an id or a part of one.",
    request: beadRequest,
    response: z.object({ id: text }),
    errors: lookupErrors,
  },
  show: {
    ...reads,
    about: "A bead, what it waits for and what waits for it.",
    request: beadRequest,
    response: beadDetails,
    errors: lookupErrors,
  },
  runAgainst: {
    ...reads,
    about: "The run of a bead that is not over and would give it another status than this one.",
    request: z.strictObject({ bead: text, status: text }),
    response: z.object({ run: z.nullable(unfinishedRun) }),
    errors: [...lookupErrors, "damaged_run"],
  },
  update: {
    ...writes,
    about: "Changes fields, labels or the status of a bead.",
    request: beadUpdate,
    response: z.object({ bead }),
    errors: statusErrors,
  },
  close: {
    ...writes,
    about: "Closes a bead. Refuses one whose run is not over, but with `despite_run`.",
    request: z.strictObject({ bead: text, reason: z.optional(text), despite_run: despiteRun }),
    /** `changed` is false when it was closed already, for the same reason or with none given. */
    response: z.object({ bead, changed: z.boolean() }),
    errors: statusErrors,
  },
  reopen: {
    ...writes,
    about: "Takes up a closed bead again, or one in any other status.",
    request: z.strictObject({ bead: text, despite_run: despiteRun }),
    /** `changed` is false when it was open already. */
    response: z.object({ bead, changed: z.boolean() }),
    errors: statusErrors,
  },
  dependants: {
    ...reads,
    about:
      "Who depends on a bead, and who is ready once it is deleted. Refuses one whose run is not over, as `delete` does.",
    request: beadRequest,
    response: dependants,
    errors: [...writeErrors, "damaged_run"],
  },
  delete: {
    ...writes,
    about:
      "Deletes a bead whose run is over. Its line stays as a tombstone, so that copies elsewhere learn of it; who waited for it waits no more.",
    request: z.strictObject({ bead: text, reason: z.optional(text) }),
    response: z.object({
      /** The tombstone. */
      bead,
      /** Ids of the beads that are ready now, and were not before. */
      released: z.array(text),
    }),
    errors: [...writeErrors, "damaged_run"],
  },
  addDependency: {
    ...writes,
    about: "The first bead depends on the second.",
    request: z.strictObject({ child: text, parent: text, type: text }),
    response: dependencyChange,
    errors: writeErrors,
  },
  removeDependency: {
    ...writes,
    about: "The first bead no longer depends on the second.",
    request: z.strictObject({ child: text, parent: text }),
    response: dependencyChange,
    errors: writeErrors,
  },
  graph: {
    ...reads,
    about: "What waits for what: of one bead, or of all that are not closed.",
    request: z.strictObject({ bead: z.optional(text), all: z.optional(z.boolean()) }),
    response: z.object({ lines: z.array(graphLine) }),
    errors: lookupErrors,
  },
  statusesAfterImport: {
    ...readsLocally,
    about: "The beads whose status an import would change.",
    request: z.strictObject(lines),
    response: z.object({ beads: z.array(z.object({ id: text, status: text })) }),
    errors: ["damaged_beads"],
  },
  import: {
    ...writesLocally,
    about: "Takes in beads as JSON lines: new ones, and newer ones of the same id. All, or none when a line is wrong.",
    request: z.strictObject(lines),
    response: importResult,
    errors: writeErrors,
  },
  export: {
    ...reads,
    about: "All lines that stand there, deleted beads and other records too.",
    request: z.strictObject({}),
    response: z.object({ lines: z.array(text), unreadable: z.array(unreadableBead) }),
    errors: ["damaged_beads"],
  },
} as const satisfies OperationTable;

export type BeadsApi = ApiOf<typeof beadOperations>;
