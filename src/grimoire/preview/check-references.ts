import type { Bead } from "../../contract/bead.ts";
import type { Step } from "../../contract/grimoire.ts";
import type { Place } from "../../contract/problem.ts";
import { nearest } from "../../contract/suggest.ts";
import type { Reference } from "../template/references.ts";
import { knownBeadFields, namesOf, outputOf, stepFields, type Scope } from "./scope.ts";

export interface ReferenceProblem extends Place {
  severity: "error" | "warning";
  message: string;
  hint?: string;
}

export interface Surrounding {
  scope: Scope;
  /** Undefined when the grimoire is checked without one. */
  bead: Bead | undefined;
  /** All steps of the grimoire, loops opened, to tell what sets a name later. */
  steps: Step[];
  /** Their names, as templates write them. */
  stepNames: ReadonlySet<string>;
}

/** Names that no step before has set, and fields that nothing has. What a condition or `default` guards may be missing. */
export function checkReferences(found: Reference[], surrounding: Surrounding): ReferenceProblem[] {
  return found.flatMap(({ path, guarded, line, column }) => {
    const problem = guarded ? undefined : checkPath(path, surrounding);
    return problem ? [{ ...problem, line, column }] : [];
  });
}

type Finding = Omit<ReferenceProblem, keyof Place>;

function checkPath([name, field]: string[], { scope, bead, steps, stepNames }: Surrounding): Finding | undefined {
  if (name === undefined) return undefined;
  if (!(name in scope)) return unknownName(name, scope, steps);
  if (field === undefined) return undefined;
  if (name === "bead") {
    const severity = bead === undefined ? "warning" : "error";
    return checkField(name, field, knownBeadFields(bead), severity);
  }
  const isResult = ["previous", "loop_entry"].includes(name) || stepNames.has(name);
  return isResult ? checkField(name, field, stepFields, "error") : undefined;
}

function checkField(
  name: string,
  field: string,
  known: readonly string[],
  severity: Finding["severity"],
): Finding | undefined {
  if (known.includes(field)) return undefined;
  const meant = nearest(field, known);
  return {
    severity,
    message: `.${name} has no field ${field}`,
    hint: meant === undefined ? `it has ${known.join(", ")}` : `did you mean .${name}.${meant}?`,
  };
}

function unknownName(name: string, scope: Scope, steps: Step[]): Finding {
  const severity = "error";
  if (name === "previous") {
    const hint = "guard it: {{if .previous}}…{{end}}, or use what an earlier step set";
    return { severity, message: "there is no step before this one, so .previous is missing", hint };
  }
  if (name === "loop_entry" || name === "iteration") {
    return { severity, message: `.${name} exists only inside a loop`, hint: "move the step into the loop" };
  }
  const later = steps.find((step) => namesOf(step).includes(name) || outputOf(step) === name);
  if (later) {
    const hint = `move the step ${later.name} before this one, or guard it: {{default "" .${name}}}`;
    return { severity, message: `.${name} is set only later, by the step ${later.name}`, hint };
  }
  const meant = nearest(
    name,
    Object.keys(scope).filter((each) => !each.includes("-")),
  );
  const given = `give it with --var ${name}=VALUE, or guard it: {{default "" .${name}}}`;
  return {
    severity,
    message: `nothing sets .${name}`,
    hint: meant === undefined ? given : `did you mean .${meant}?`,
  };
}
