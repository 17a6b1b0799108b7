import * as z from "zod/mini";
import { policyDecisions, policyEvents } from "../policy.ts";
import { readsLocally, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();

/** A rule, by its name or number, with the file and the line in which it stands. */
const listedRule = z.strictObject({
  name: text,
  file: text,
  event: z.enum(policyEvents),
  decide: z.nullable(z.enum(policyDecisions)),
  /** What it is about, and what it does, in a line. */
  about: text,
  /** False for what loosens in a repository that is not trusted. */
  counts: z.boolean(),
});
export type ListedRule = z.infer<typeof listedRule>;

const testedCall = z.strictObject({
  /** Null when no rule decides: the engine and the agent's level do. */
  decision: z.nullable(z.enum(policyDecisions)),
  /** The rule that decides; null when none does. */
  rule: z.nullable(listedRule),
  /** `maybe`: what would be executed cannot be told from the text. */
  match: z.nullable(z.enum(["yes", "maybe"])),
  reason: z.nullable(text),
  context: z.nullable(text),
  /** The input that the tool would get instead; null when that is as it was. */
  input: z.nullable(z.record(text, z.unknown())),
  /** All rules that are about the call. */
  matches: z.array(listedRule),
  /** The commands that the text may execute, each as its words; `?` stands for what is not known. */
  commands: z.array(z.array(text)),
});
export type TestedCall = z.infer<typeof testedCall>;

export const policyOperations = {
  test: {
    ...readsLocally,
    about: "Which rule of the policy decides about a call of a tool, and how the command was read.",
    request: z.strictObject({
      command: z.optional(text),
      tool: z.optional(text),
      path: z.optional(text),
      step: z.optional(text),
      agent: z.optional(text),
      event: z.optional(z.enum(policyEvents)),
    }),
    response: testedCall,
    errors: [],
  },
  list: {
    ...readsLocally,
    about: "The rules of the policy, with the file of each and whether it counts.",
    request: z.strictObject({}),
    response: z.strictObject({ rules: z.array(listedRule) }),
    errors: [],
  },
  trust: {
    ...writesLocally,
    about: "Has what a repository's settings loosen count, as they stand now, or not any more.",
    request: z.strictObject({ revoke: z.optional(z.boolean()) }),
    response: z.strictObject({ file: text, trusted: z.boolean(), rules: z.array(listedRule) }),
    errors: ["not_possible_now"],
  },
} as const satisfies OperationTable;

export type PoliciesApi = ApiOf<typeof policyOperations>;
