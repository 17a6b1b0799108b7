import * as z from "zod/mini";
import { caseBases, caseTypes, learnFormats, exclusionReasons } from "../learn-values.ts";
import { statuses } from "../session-values.ts";
import { entry } from "./session-document.ts";
import { reads, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

// Cases: what sessions teach. `docs/formats/cases.md` has the words for people.

const text = z.string();
const line = z.int();

/** An entry of a session, with the line of session.md at which it begins. */
const piece = z.strictObject({ line, entry });
export type Piece = z.infer<typeof piece>;

const metadata = z.strictObject({
  session: text,
  title: text,
  /** Where session.md stands, below the repository's root. */
  path: text,
  phase: z.nullable(text),
  /** When the phase began. */
  at: z.nullable(text),
  agent: z.nullable(text),
  model: z.nullable(text),
  engine: z.nullable(text),
  /** The tools whose calls stand in the case. */
  tools: z.array(text),
  commit: z.nullable(text),
  /** The first other commit of the session that is known from after the run that passed, else the one on which it passed. */
  fixed_commit: z.nullable(text),
  /** The session's status. */
  outcome: z.enum(statuses),
  tags: z.array(text),
});
export type CaseMetadata = z.infer<typeof metadata>;

const common = {
  /** The session and the line of its failure, or of the user's words. */
  id: text,
  /** What is right, as the session itself shows it; empty in an open case. */
  expected: z.array(piece),
  /** How many entries between those were left out. */
  omitted: z.int(),
  basis: z.nullable(z.enum(caseBases)),
  /** Of an open case: why nothing is known to be right. */
  open: z.exactOptional(text),
  metadata,
};

const puzzle = z.strictObject({
  type: z.literal("puzzle"),
  ...common,
  context: z.array(piece),
  failure: z.array(piece),
});
export type Puzzle = z.infer<typeof puzzle>;

const correction = z.strictObject({
  type: z.literal("correction"),
  ...common,
  before: z.array(piece),
  /** What the agent did. */
  behaviour: z.array(piece),
  /** What the user said. */
  words: piece,
  after: z.array(piece),
});
export type Correction = z.infer<typeof correction>;

const learningCase = z.discriminatedUnion("type", [puzzle, correction]);
export type LearningCase = z.infer<typeof learningCase>;

const excludedCase = z.strictObject({
  session: text,
  line: z.nullable(line),
  type: z.nullable(z.enum(caseTypes)),
  reason: z.enum(exclusionReasons),
  /** How the failure or the user's words begin. */
  text,
  /** Of a duplicate: the case that stands for it. */
  of: z.exactOptional(text),
  /** The file of a commit that keeps a task from being made. */
  file: z.exactOptional(text),
});
export type ExcludedCase = z.infer<typeof excludedCase>;

const counts = z.strictObject({
  sessions: z.int(),
  puzzles: z.int(),
  corrections: z.int(),
  /** Those among both that nothing shows the right behaviour of. */
  open: z.int(),
  left_out: z.partialRecord(z.enum(exclusionReasons), z.int()),
});
export type CaseCounts = z.infer<typeof counts>;

/** Which sessions and cases. Without `sessions`: all that the other fields let through. */
const selection = {
  sessions: z.optional(z.array(text)),
  type: z.optional(z.enum(caseTypes)),
  /** Sessions started then or later. */
  since: z.optional(text),
  agent: z.optional(text),
  model: z.optional(text),
  engine: z.optional(text),
  /** The session's status. */
  outcome: z.optional(z.enum(statuses)),
  tag: z.optional(text),
};
const selectionRequest = z.strictObject(selection);
export type CaseSelection = z.infer<typeof selectionRequest>;

const caseList = z.strictObject({ cases: z.array(learningCase), left_out: z.array(excludedCase), counts });
export type CaseList = z.infer<typeof caseList>;

const exportSummary = z.strictObject({
  format: z.enum(learnFormats),
  /** What was written; empty where the text itself is the answer. */
  files: z.array(text),
  /** Lines, cases, tasks or trajectories. */
  written: z.int(),
  left_out: z.array(excludedCase),
  counts,
});
export type ExportSummary = z.infer<typeof exportSummary>;

const exportItem = z.union([z.strictObject({ text }), exportSummary]);
export type ExportItem = z.infer<typeof exportItem>;

const errors = [
  "unknown_session",
  "ambiguous_session",
  "several_active",
  "no_active_session",
  "invalid_id",
  "damaged_session",
] as const;

export const learnOperations = {
  cases: {
    ...reads,
    about: "Cases that sessions teach: failures and what mended them, corrections and what followed.",
    request: selectionRequest,
    response: caseList,
    errors,
  },
  export: {
    ...writesLocally,
    about: "Writes cases, tasks or trajectories of many sessions, in the form of others; the last item is the summary.",
    streams: true,
    request: z.strictObject({
      ...selection,
      format: z.enum(learnFormats),
      /** A new file or folder, by its whole path; without it, the items are the text. */
      output: z.optional(text),
      /** Of Harbor tasks: the image that has what their commands need. */
      image: z.optional(text),
      /** Of Harbor tasks: runs each of them here, without and with its solution, and leaves out what does not check itself. */
      check: z.optional(z.boolean()),
    }),
    response: exportItem,
    errors,
  },
} as const satisfies OperationTable;

export type LearnApi = ApiOf<typeof learnOperations>;
