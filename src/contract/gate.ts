import * as z from "zod/mini";
import { shells } from "./grimoire-values.ts";

const text = z.string();

/** What an agent must have done, as Clew saw it. */
export const callGate = z.object({
  kind: z.literal("call"),
  /** `shell`, `edit`, `read`, or a tool by the name that its engine gives it. */
  tool: text,
  /** The words of one simple command: `*` stands for one word, `...` at the end for any others. */
  match: z.exactOptional(text),
  /** How a command must have ended. */
  exit: z.int(),
  count: z.int(),
  /** Globs of the files that it is evidence of; empty for all that git sees. */
  covers: z.array(text),
  /** Whether these files must be as they were then. */
  fresh: z.boolean(),
  /** Globs of files that must be as they were when the run began; absent: what decides what the command does. */
  keeps: z.exactOptional(z.array(text)),
});
export type CallGate = z.infer<typeof callGate>;

/** How a command that Clew runs itself must end. */
const expectation = {
  /** Its exit code, or a text that stands in what it prints (its exit code is 0 then). */
  expect: z.union([z.int(), text]),
  timeout_ms: z.exactOptional(z.number()),
};

const commandGate = z.object({
  kind: z.literal("command"),
  command: text,
  shell: z.enum(shells),
  ...expectation,
});

/** What an agent step asks for before its result counts. */
export const gate = z.discriminatedUnion("kind", [callGate, commandGate]);
export type Gate = z.infer<typeof gate>;

/** A command whose templates are rendered: values stand in it as references to shell variables. */
const renderedCommandGate = z.object({
  kind: z.literal("command"),
  shell: z.enum(shells),
  script: text,
  values: z.record(text, text),
  ...expectation,
});
export type RenderedCommandGate = z.infer<typeof renderedCommandGate>;

export const renderedGate = z.discriminatedUnion("kind", [callGate, renderedCommandGate]);
export type RenderedGate = z.infer<typeof renderedGate>;

/** The text of a gate that may be a template. */
export function gateText(given: Gate): string {
  return given.kind === "command" ? given.command : (given.match ?? "");
}

/** What a gate asks for, in words; `what` is its rendered text. */
export function gateWords(given: Gate | RenderedGate, what: string): string {
  if (given.kind === "command") {
    const { expect } = given;
    const end = typeof expect === "number" ? `exits with ${expect}` : `prints ${JSON.stringify(expect)}`;
    return `Clew runs ${what}, which ${end}`;
  }
  const { tool, match, exit, count, covers } = given;
  const call = match === undefined ? `uses the tool ${tool}` : `runs ${what}, which exits with ${exit}`;
  const often = count === 1 ? "" : `, ${count} times`;
  const files = covers.length === 0 ? "" : `, on ${covers.join(", ")}`;
  return `the agent ${call}${often}${files}`;
}
