import * as z from "zod/mini";
import { bareRemains, engineHooks } from "../engine-abilities.ts";
import { reads, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();
const yes = z.boolean();

/** How far an engine can be used, and what it can. */
const listedEngine = z.strictObject({
  name: text,
  /** The file of its program; null when there is none. */
  path: z.nullable(text),
  /** What its program says; null when it says nothing. */
  version: z.nullable(text),
  /** Whether it can be started, and is not too old. Whether it is logged in does not count here. */
  available: yes,
  /** Null when only the engine itself can tell. */
  logged_in: z.nullable(yes),
  can: z.strictObject({
    resume: yes,
    structured_result: yes,
    permissions: yes,
    send: yes,
    hooks: yes,
    tools: yes,
    mcp: yes,
    usage: yes,
    cost: yes,
  }),
  /** How an agent that Clew starts tells of its calls, beside its stream. */
  hooks: z.enum(engineHooks),
  /** What happens to a message while it works: it joins the round, or waits until that has ended. */
  messages: z.enum(["joins", "queues", "none"]),
  /** What a denied permission does to the round. */
  denial: z.enum(["goes_on", "ends_round"]),
  /** Whether an interrupt ends the command that runs, too. */
  interrupt: z.enum(["ends_command", "leaves_command"]),
  /** When limits on tokens and cost are checked. */
  limits: z.enum(["while_it_works", "between_rounds", "never"]),
  /** What reaches its model beside the prompt where it is to get that alone, as for a plan. */
  bare: z.array(z.enum(bareRemains)),
  problem: z.exactOptional(text),
  fix: z.exactOptional(text),
});
export type ListedEngine = z.infer<typeof listedEngine>;

const engineFinding = z.strictObject({
  engine: text,
  check: text,
  status: z.enum(["ok", "warning", "problem"]),
  message: text,
  hint: z.exactOptional(text),
});
export type EngineFinding = z.infer<typeof engineFinding>;

export const engineOperations = {
  list: {
    ...reads,
    about: "The engines: which are installed, in which version, logged in or not, and what each can.",
    request: z.strictObject({}),
    response: z.strictObject({ engines: z.array(listedEngine) }),
    errors: [],
  },
  examine: {
    ...reads,
    about: "Checks one engine or all of them, each in detail. Asks no model.",
    request: z.strictObject({ engine: z.optional(text) }),
    response: z.strictObject({
      /** The engine that was asked for, or that the settings name. */
      engine: text,
      /** Whether that one can be used. */
      usable: yes,
      findings: z.array(engineFinding),
    }),
    errors: ["unknown_engine"],
  },
} as const satisfies OperationTable;

export type EnginesApi = ApiOf<typeof engineOperations>;
