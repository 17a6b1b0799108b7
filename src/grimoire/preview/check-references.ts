import type { Bead } from "../../contract/bead.ts";
import { allSteps, reservedNames, type Grimoire, type Step, type StepType } from "../../contract/grimoire.ts";
import type { Problem } from "../../contract/problem.ts";
import { nearest } from "../../text/nearest.ts";
import type { Reference } from "../template/references.ts";
import { agentFields, knownBeadFields, namesOf, outputName, stepFields, type PreviewScope } from "./scope.ts";
import type { Absence } from "./variables.ts";

export type GrimoireFacts = ReturnType<typeof grimoireFacts>;

/** What is the same for all steps of a grimoire. `unreachable` are the steps that no run executes. */
export function grimoireFacts(grimoire: Grimoire, bead: Bead | undefined, unreachable: ReadonlySet<Step>) {
  /** All steps, those in loops too, to tell what sets a name later. */
  const steps = [...allSteps(grimoire.steps)];
  const reachableSteps = steps.filter((step) => !unreachable.has(step));
  /** As templates write them. */
  const stepNames: ReadonlySet<string> = new Set(reachableSteps.flatMap(namesOf));
  /** By the name of an output, the types of the reachable steps that set it. */
  const outputTypes = new Map<string, Set<StepType>>();
  for (const step of reachableSteps) {
    const name = outputName(step);
    if (name !== undefined) outputTypes.set(name, (outputTypes.get(name) ?? new Set()).add(step.type));
  }
  return { beadFields: knownBeadFields(bead), steps, reachableSteps, unreachable, stepNames, outputTypes };
}

export interface ReferenceContext {
  facts: GrimoireFacts;
  scope: PreviewScope;
  /** The step that asks. */
  step: string;
  /** Names that may be missing, where that is not the same as empty: in conditions. */
  absences: ReadonlyMap<string, Absence> | undefined;
}

/** Finds names that no earlier step sets, and unknown fields. What a condition or `default` guards may be missing. */
export function checkReferences(references: Reference[], context: ReferenceContext): Omit<Problem, "file" | "step">[] {
  return references.flatMap(({ path, guarded, line, column }) => {
    const problem = guarded ? checkSpelling(path, context) : checkPath(path, context);
    return problem ? [{ ...problem, line, column }] : [];
  });
}

type Finding = Pick<Problem, "severity" | "message" | "hint">;

/** A guarded name may be missing, but one that nearly is a name in scope is most likely misspelt. */
function checkSpelling([name]: string[], { scope, facts: { steps } }: ReferenceContext): Finding | undefined {
  if (name === undefined || name in scope || reservedNames.includes(name) || findSetter(name, steps)) return undefined;
  const suggestion = nearest(name, templateNames(scope));
  if (suggestion === undefined) return undefined;
  return { severity: "warning", message: `nothing sets .${name}`, hint: `did you mean .${suggestion}?` };
}

function checkPath([name, field]: string[], context: ReferenceContext): Finding | undefined {
  if (name === undefined) return undefined;
  const { scope, facts, absences } = context;
  if (!(name in scope)) return unknownName(name, context);
  const absence = absences?.get(name);
  if (absence) return mayBeMissing(name, field, absence);
  if (field === undefined) return undefined;
  if (name === "bead") return checkField(name, field, facts.beadFields, "warning");
  if (facts.stepNames.has(name) || name === "previous" || name === "loop_entry") {
    return checkField(name, field, stepFields, "error");
  }
  const setterTypes = [...(facts.outputTypes.get(name) ?? [])];
  if (setterTypes.length === 0) return undefined;
  if (setterTypes.every((type) => type === "script"))
    return { severity: "error", message: `.${name} is text and has no fields` };
  if (!setterTypes.every((type) => type === "agent") || agentFields.includes(field)) return undefined;
  const hint = `what an agent adds stands below outputs: .${name}.outputs.${field}`;
  return { severity: "error", message: `.${name} has no field ${field}`, hint };
}

/** In a condition a missing value is no boolean, and fails the run. */
function mayBeMissing(name: string, field: string | undefined, absence: Absence): Finding {
  const reference = field === undefined ? `.${name}` : `.${name}.${field}`;
  const hint = `say what counts then: {{default false ${reference}}}`;
  if ("firstIteration" in absence) {
    return { severity: "error", message: `.${name} is missing in the loop's first iteration`, hint };
  }
  return { severity: "warning", message: `.${name} is missing when the step ${absence.step} is skipped`, hint };
}

function checkField(
  name: string,
  field: string,
  validFields: readonly string[],
  severity: Finding["severity"],
): Finding | undefined {
  if (validFields.includes(field)) return undefined;
  const suggestion = nearest(field, validFields);
  return {
    // A bead may have fields of its own; one that nearly is a known field is most likely misspelt.
    severity: suggestion === undefined ? severity : "error",
    message: `.${name} has no field ${field}`,
    hint: suggestion === undefined ? `it has ${validFields.join(", ")}` : `did you mean .${name}.${suggestion}?`,
  };
}

function unknownName(name: string, { scope, facts, step, absences }: ReferenceContext): Finding {
  const severity = "error";
  // In a condition nothing but a boolean will do.
  const guard = `guard it: {{default ${absences ? "false" : '""'} .${name}}}`;
  if (name === "previous") {
    const hint = "guard it: {{if .previous}}…{{end}}, or use what an earlier step set";
    return { severity, message: "there is no step before this one, so .previous is missing", hint };
  }
  if (name === "loop_entry" || name === "iteration") {
    return { severity, message: `.${name} exists only inside a loop`, hint: "move the step into the loop" };
  }
  const setter = findSetter(name, facts.reachableSteps);
  const unreachableSetter = setter ? undefined : findSetter(name, facts.steps);
  if (unreachableSetter) {
    const hint = `take its condition away, or ${guard}`;
    return { severity, message: `.${name} is set by the step ${unreachableSetter.name} alone, which never runs`, hint };
  }
  if (setter?.name === step) {
    const hint = "what it gives is there for the steps behind it";
    return { severity, message: `.${name} is set by this very step`, hint };
  }
  if (setter) {
    const hint = `move the step ${setter.name} before this one, or ${guard}`;
    return { severity, message: `.${name} is set only later, by the step ${setter.name}`, hint };
  }
  const suggestion = nearest(name, templateNames(scope));
  const advice = `give it with --var ${name}=VALUE, or ${guard}`;
  const hint = suggestion === undefined ? advice : `did you mean .${suggestion}?`;
  return { severity, message: `nothing sets .${name}`, hint };
}

function findSetter(name: string, steps: readonly Step[]): Step | undefined {
  return steps.find((step) => namesOf(step).includes(name) || outputName(step) === name);
}

/** Names that can be written behind a dot. */
function templateNames(scope: PreviewScope): string[] {
  return Object.keys(scope).filter((name) => !name.includes("-"));
}
