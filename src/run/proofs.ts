import type { GatePass } from "../contract/evidence-values.ts";
import type { StepAddress, StepResult } from "../contract/run.ts";
import type { Proof } from "../contract/merge-offer.ts";
import type { ScriptInput } from "../contract/step-input.ts";
import { cutForReading, scriptText } from "./script-text.ts";

type Command = Pick<ScriptInput, "shell" | "script" | "values">;

/** Commands that succeeded, each on one tree: what a run knows about the trees that it made. */
export class Proofs {
  readonly #proofs = new Map<string, Proof>();
  readonly #evidence = new Map<string, Proof[]>();

  add(tree: string, command: Command, proof: Proof): void {
    this.#proofs.set(keyOf(tree, command), proof);
  }

  /** What showed that the very same command succeeds on this tree. */
  on(tree: string, command: Command): Proof | undefined {
    return this.#proofs.get(keyOf(tree, command));
  }

  /** By what an agent's gates were passed. */
  addEvidence({ path, attempt }: StepAddress, passes: readonly GatePass[]): void {
    for (const { id, command, tree } of passes) {
      if (tree === null) continue;
      const proof: Proof = { by: "evidence", path, attempt, command, said: "", id };
      this.#evidence.set(tree, [...(this.#evidence.get(tree) ?? []), proof]);
    }
  }

  /** The evidence for this very tree. */
  evidenceFor(tree: string): Proof[] {
    return this.#evidence.get(tree) ?? [];
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
  return cutForReading(scriptText(command).trim());
}

/** How many tests there were, as a rule; or that there were none. */
function lastLine(text: string): string {
  return cutForReading(text.trimEnd().split("\n").at(-1)!.trim());
}

/** A line end more or less, as YAML's ways to write a text give it, makes no other command. */
function keyOf(tree: string, { shell, script, values }: Command): string {
  return JSON.stringify([tree, shell, script.trimEnd(), values]);
}
