import * as z from "zod/mini";

const text = z.string();
const count = z.int().check(z.minimum(0));
const instant = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

/** A file's content, by its hash, with its rights. */
const keptFile = z.object({ sha256: text.check(z.regex(/^[0-9a-f]{64}$/)), mode: count });
export type KeptFile = z.infer<typeof keptFile>;

/** What a file was, and what it becomes; null where there is none. */
const plannedChange = z.object({ path: text, before: z.nullable(keptFile), after: z.nullable(keptFile) });
export type PlannedChange = z.infer<typeof plannedChange>;

/** What a turn's execution, or its undoing, has under way. */
export const turnDeeds = ["execute", "undo"] as const;
export type TurnDeed = (typeof turnDeeds)[number];

const common = { v: z.literal(1), at: instant };

/** One line of an execution's journal, in the git folder: appended and synced before what it tells of is done. */
export const turnJournalLine = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("begun"), deed: z.enum(turnDeeds) }),
  z.object({
    ...common,
    type: z.literal("batch"),
    batch: count,
    changes: z.array(plannedChange),
    /** Folders that were not there, the upper ones first. */
    folders: z.array(text),
    /** The word in the names of files that stand beside others until they are whole. */
    word: text,
  }),
  z.object({ ...common, type: z.literal("applied"), batch: count }),
  z.object({ ...common, type: z.literal("taken_back"), batch: count, kept: z.array(text) }),
  z.object({
    ...common,
    type: z.literal("command"),
    action: count,
    command: text,
    /** By which it is found after a crash. */
    process: z.object({ pid: z.int(), started: text, boot: text, mark: text, folder: z.exactOptional(text) }),
  }),
  z.object({ ...common, type: z.literal("command_ended"), action: count, exit_code: z.nullable(z.int()) }),
]);
export type TurnJournalLine = z.infer<typeof turnJournalLine>;
