import type { StepAddress, StepResult } from "../contract/run.ts";
import type { Proof } from "../contract/merge-offer.ts";
import type { ScriptInput } from "../contract/step-input.ts";
import { scriptText } from "./script-text.ts";

type Command = Pick<ScriptInput, "shell" | "script" | "values">;

/** A reader wants to know which command it was; the journal has all of it. */
const maxTextChars = 200;

/** Commands that succeeded, each on one tree: what a run knows about the trees that it made. */
export class Proofs {
  readonly #proofs = new Map<string, Proof>();

  add(tree: string, command: Command, proof: Proof): void {
    this.#proofs.set(keyOf(tree, command), proof);
  }

  /** What showed that the very same command succeeds on this tree. */
  on(tree: string, command: Command): Proof | undefined {
    return this.#proofs.get(keyOf(tree, command));
  }
}

export function isSameCommand(one: Command, other: Command): boolean {
  return keyOf("", one) === keyOf("", other);
}

export function asProof(
  by: Proof["by"],
  { path, attempt }: StepAddress,
  command: Command,
  { output, stderr = "" }: StepResult,
): Proof {
  const lines = [output, stderr].map((text) => (typeof text === "string" ? lastLine(text) : ""));
  return { by, path, attempt, command: shortScript(command), said: lines.find((line) => line !== "") ?? "" };
}

export function shortScript(command: Command): string {
  return cutText(scriptText(command).trim());
}

/** How many tests there were, as a rule; or that there were none. */
function lastLine(text: string): string {
  return cutText(text.trimEnd().split("\n").at(-1)!.trim());
}

function cutText(text: string): string {
  return text.length > maxTextChars ? `${text.slice(0, maxTextChars).toWellFormed()}…` : text;
}

/** A line end more or less, as YAML's ways to write a text give it, makes no other command. */
function keyOf(tree: string, { shell, script, values }: Command): string {
  return JSON.stringify([tree, shell, script.trimEnd(), values]);
}
