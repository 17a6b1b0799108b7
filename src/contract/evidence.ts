import * as z from "zod/mini";
import { callGate } from "./gate.ts";
import { pinnedRun } from "./pinned-run.ts";
import { address, at } from "./run-fields.ts";

const text = z.string();

/** Who saw a call: the engine's own stream or transcript, the engine's hook, or Clew, which made it itself. */
export const witnesses = ["stream", "transcript", "hook", "clew"] as const;
export type Witness = (typeof witnesses)[number];

/** What a tool does. `other`: it cannot be told. */
export const toolKinds = ["shell", "edit", "read", "other"] as const;
export type ToolKind = (typeof toolKinds)[number];

/** A call of a tool that was observed: a line of the evidence of a run. */
export const evidenceCall = z.object({
  v: z.literal(1),
  type: z.literal("call"),
  /** The run, and the number of the call in its evidence. */
  id: text,
  at,
  run: text,
  session: z.nullable(text),
  step: text,
  attempt: address.attempt,
  engine: text,
  /** As the engine calls it; `command` for what Clew ran itself. */
  tool: text,
  kind: z.enum(toolKinds),
  /** The engine's id of the call; null for what Clew ran itself. */
  tool_use_id: z.nullable(text),
  command: z.exactOptional(text),
  /** The files that it read, below the worktree's root. */
  files: z.exactOptional(z.array(text)),
  /** The folder in which it ran, where the engine tells it. */
  folder: z.exactOptional(text),
  failed: z.boolean(),
  /** Of a command; null where it is not known, as of one that was cut off or went on in the background. */
  exit: z.nullable(z.int()),
  /** What stood in the worktree before and after it. Null where no gate asked for the call, or git could not tell. */
  tree_before: z.nullable(text),
  tree: z.nullable(text),
  /** The commit that was checked out. */
  head: z.nullable(text),
  witnesses: z.array(z.enum(witnesses)),
  /** Why it is no evidence, whatever it looks like. */
  problem: z.exactOptional(text),
  duration_ms: z.exactOptional(z.number()),
});
export type EvidenceCall = z.infer<typeof evidenceCall>;

/** A call of a connected agent's tool, as a hook before or after it told: a line of the evidence of its run. */
export const evidenceSight = z.object({
  v: z.literal(1),
  type: z.literal("sight"),
  at,
  run: text,
  step: text,
  attempt: address.attempt,
  engine: text,
  /** The file in which the engine tells of the call itself; null when it names none. */
  transcript: z.nullable(text),
  isAfter: z.boolean(),
  tool: text,
  tool_use_id: text,
  command: z.exactOptional(text),
  /** Before the call: the command that Clew's own answer put in its place. */
  becomes: z.exactOptional(text),
  files: z.exactOptional(z.array(text)),
  folder: z.exactOptional(text),
  failed: z.boolean(),
  exit: z.nullable(z.int()),
  tree: z.nullable(text),
});
export type EvidenceSight = z.infer<typeof evidenceSight>;

const { folder, worktree, base, target } = pinnedRun.shape;

/** What hooks have to know of the step of a connected agent: they look out for the calls that it requires. */
export const wantedEvidence = z.object({
  v: z.literal(1),
  run: text,
  ...address,
  /** Where the step works, as the run has it. */
  pinned: z.object({ folder, worktree, base, target }),
  gates: z.array(callGate),
  /** The run began with rules that its agent is held to. Such a file stays until the run is over. */
  rules: z.exactOptional(z.literal(true)),
});
export type WantedEvidence = z.infer<typeof wantedEvidence>;
