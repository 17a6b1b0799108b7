import { ClewError } from "../../contract/errors.ts";
import { allSteps, reservedNames, type Json } from "../../contract/grimoire.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { nearest } from "../../text/nearest.ts";
import { namesOf, outputName } from "../../grimoire/preview/scope.ts";
import { referencedNames } from "../../grimoire/spell/referenced-names.ts";

const mostNamed = 20;

/** Refuses what no step of the run would ever see: most likely a name that is misspelt. */
export function refuseUnknownInputs(inputs: Record<string, Json>, pinned: PinnedRun | undefined): void {
  const names = Object.keys(inputs);
  const reserved = names.find((name) => reservedNames.includes(name));
  if (reserved !== undefined) {
    throw new ClewError("invalid_input", `--input ${reserved}: every run sets ${reserved} itself`, "leave it out");
  }
  const known = names.length === 0 || !pinned ? undefined : modifiableInputs(pinned);
  const unknown = known && names.find((name) => !known.includes(name));
  if (!known || unknown === undefined) return;
  const suggestion = nearest(unknown, known);
  const all = `${known.slice(0, mostNamed).join(", ")}${known.length > mostNamed ? " …" : ""}`;
  throw new ClewError(
    "invalid_input",
    `--input ${unknown}: the run knows no variable of that name`,
    suggestion !== undefined
      ? `did you mean ${suggestion}?`
      : known.length === 0
        ? "it has no variables"
        : `it knows ${all}`,
  );
}

/** The names that a retry can give values to: what its templates ask for, what its steps set, what it was started with; undefined when it may be anything. */
export function modifiableInputs({ grimoire, spells, variables }: PinnedRun): string[] | undefined {
  const referenced = referencedNames(grimoire, spells);
  if (!referenced) return undefined;
  const set = [...allSteps(grimoire.steps)].flatMap((step) => [...namesOf(step), outputName(step) ?? []].flat());
  const given = [...allSteps(grimoire.steps)].flatMap((step) => ("input" in step ? Object.keys(step.input) : []));
  return [...new Set([...referenced, ...set, ...given, ...Object.keys(variables)])]
    .filter((name) => !reservedNames.includes(name) && !name.includes("-"))
    .sort();
}
