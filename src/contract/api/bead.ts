import * as z from "zod/mini";
import {
  bead,
  beadFilter,
  beadList,
  beadUpdate,
  dependants,
  dependencyChange,
  graphLine,
  importResult,
  newBead,
  beadDetails,
  unfinishedRun,
  unreadableBead,
} from "./bead-shapes.ts";
import type { ApiOf, OperationTable } from "./operation.ts";
import { page } from "./paging.ts";

const text = z.string();
const lookupErrors = ["unknown_bead", "ambiguous_bead", "damaged_beads"] as const;
const writeErrors = [...lookupErrors, "not_possible_now"] as const;
const beadRequest = z.object({ bead: text });

const lines = { lines: z.custom<Uint8Array>(), place: text };

export const beadOperations = {
  create: {
    about: "Makes a bead.",
    effect: "writes",
    where: "either",
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
    about: "Lists beads, the most urgent first. Closed ones only with `all`, or when asked for by status.",
    effect: "reads",
    where: "either",
    paged: true,
    request: z.object({ ...beadFilter.shape, standings: z.optional(z.boolean()), ...page }),
    response: beadList,
    errors: ["damaged_beads"],
  },
  ready: {
    about: "Lists beads that could be worked on now, the most urgent first.",
    effect: "reads",
    where: "either",
    paged: true,
    request: z.object({ standings: z.optional(z.boolean()), ...page }),
    response: beadList,
    errors: ["damaged_beads"],
  },
  find: {
    about: "Names the bead that is meant by an id or a part of one.",
    effect: "reads",
    where: "either",
    request: beadRequest,
    response: z.object({ id: text }),
    errors: lookupErrors,
  },
  show: {
    about: "A bead, what it waits for and what waits for it.",
    effect: "reads",
    where: "either",
    request: beadRequest,
    response: beadDetails,
    errors: lookupErrors,
  },
  runAgainst: {
    about: "The run of a bead that is not over and would give it another status than this one.",
    effect: "reads",
    where: "either",
    request: z.object({ bead: text, status: text }),
    response: z.object({ run: z.nullable(unfinishedRun) }),
    errors: [...lookupErrors, "damaged_run"],
  },
  update: {
    about: "Changes fields, labels or the status of a bead.",
    effect: "writes",
    where: "either",
    request: beadUpdate,
    response: z.object({ bead }),
    errors: writeErrors,
  },
  close: {
    about: "Closes a bead.",
    effect: "writes",
    where: "either",
    request: z.object({ bead: text, reason: z.optional(text) }),
    /** `changed` is false when it was closed already, for the same reason or with none given. */
    response: z.object({ bead, changed: z.boolean() }),
    errors: writeErrors,
  },
  reopen: {
    about: "Takes up a closed bead again, or one in any other status.",
    effect: "writes",
    where: "either",
    request: beadRequest,
    /** `changed` is false when it was open already. */
    response: z.object({ bead, changed: z.boolean() }),
    errors: writeErrors,
  },
  dependants: {
    about:
      "Who depends on a bead, and who is ready once it is deleted. Refuses one whose run is not over, as `delete` does.",
    effect: "reads",
    where: "either",
    request: beadRequest,
    response: dependants,
    errors: [...writeErrors, "damaged_run"],
  },
  delete: {
    about:
      "Deletes a bead whose run is over. Its line stays as a tombstone, so that copies elsewhere learn of it; who waited for it waits no more.",
    effect: "writes",
    where: "either",
    request: z.object({ bead: text, reason: z.optional(text) }),
    response: z.object({
      /** The tombstone. */
      bead,
      /** Ids of the beads that are ready now, and were not before. */
      released: z.array(text),
    }),
    errors: [...writeErrors, "damaged_run"],
  },
  addDependency: {
    about: "The first bead depends on the second.",
    effect: "writes",
    where: "either",
    request: z.object({ child: text, parent: text, type: text }),
    response: dependencyChange,
    errors: writeErrors,
  },
  removeDependency: {
    about: "The first bead no longer depends on the second.",
    effect: "writes",
    where: "either",
    request: z.object({ child: text, parent: text }),
    response: dependencyChange,
    errors: writeErrors,
  },
  graph: {
    about: "What waits for what: of one bead, or of all that are not closed.",
    effect: "reads",
    where: "either",
    request: z.object({ bead: z.optional(text), all: z.boolean() }),
    response: z.object({ lines: z.array(graphLine) }),
    errors: lookupErrors,
  },
  statusesAfterImport: {
    about: "The beads whose status an import would change.",
    effect: "reads",
    where: "local",
    request: z.object(lines),
    response: z.object({ beads: z.array(z.object({ id: text, status: text })) }),
    errors: ["damaged_beads"],
  },
  import: {
    about: "Takes in beads as JSON lines: new ones, and newer ones of the same id. All, or none when a line is wrong.",
    effect: "writes",
    where: "local",
    request: z.object(lines),
    response: importResult,
    errors: writeErrors,
  },
  export: {
    about: "All lines that stand there, deleted beads and other records too.",
    effect: "reads",
    where: "either",
    request: z.object({}),
    response: z.object({ lines: z.array(text), unreadable: z.array(unreadableBead) }),
    errors: ["damaged_beads"],
  },
} as const satisfies OperationTable;

export type BeadsApi = ApiOf<typeof beadOperations>;
