import type { Bead } from "../../contract/bead.ts";
import { allSteps, reservedNames, type Grimoire, type Step, type StepType } from "../../contract/grimoire.ts";
import type { Problem } from "../../contract/problem.ts";
import { nearest } from "../../text/nearest.ts";
import type { Reference } from "../template/references.ts";
import { agentFields, knownBeadFields, namesOf, outputOf, stepFields, type Scope } from "./scope.ts";
import type { Absence } from "./variables.ts";

/** What does not change from step to step. */
export interface ReferenceScope {
  beadFields: readonly string[];
  /** All steps of the grimoire, loops opened, to tell what sets a name later. */
  steps: readonly Step[];
  /** Those that no run executes. */
  never: ReadonlySet<Step>;
  /** Names of the others, as templates write them. */
  stepNames: ReadonlySet<string>;
  /** The types of those that set an output. */
  outputs: ReadonlyMap<string, ReadonlySet<StepType>>;
}

export function referenceScope(grimoire: Grimoire, bead: Bead | undefined, never: ReadonlySet<Step>): ReferenceScope {
  const steps = [...allSteps(grimoire.steps)];
  const executed = steps.filter((step) => !never.has(step));
  const outputs = new Map<string, Set<StepType>>();
  for (const step of executed) {
    const name = outputOf(step);
    if (name !== undefined) outputs.set(name, (outputs.get(name) ?? new Set()).add(step.type));
  }
  const stepNames = new Set(executed.flatMap(namesOf));
  return { beadFields: knownBeadFields(bead), steps, never, stepNames, outputs };
}

export interface Surrounding {
  known: ReferenceScope;
  scope: Scope;
  /** The step that asks. */
  step: string;
  /** Names that may be missing, where that is not the same as empty: in conditions. */
  absences?: ReadonlyMap<string, Absence>;
}

/** Names that no step before has set, and fields that nothing has. What a condition or `default` guards may be missing. */
export function checkReferences(found: Reference[], surrounding: Surrounding): Omit<Problem, "file" | "step">[] {
  return found.flatMap(({ path, guarded, line, column }) => {
    const problem = guarded ? misspelt(path, surrounding) : checkPath(path, surrounding);
    return problem ? [{ ...problem, line, column }] : [];
  });
}

type Finding = Pick<Problem, "severity" | "message" | "hint">;

/** What is guarded may be missing, but a name that only looks like one that is set is hardly meant to be. */
function misspelt([name]: string[], { scope, known: { steps } }: Surrounding): Finding | undefined {
  if (name === undefined || name in scope || reservedNames.includes(name) || setBy(name, steps)) return undefined;
  const meant = nearest(name, writable(scope));
  if (meant === undefined) return undefined;
  return { severity: "warning", message: `nothing sets .${name}`, hint: `did you mean .${meant}?` };
}

function checkPath([name, field]: string[], surrounding: Surrounding): Finding | undefined {
  if (name === undefined) return undefined;
  const { scope, known, absences } = surrounding;
  if (!(name in scope)) return unknownName(name, surrounding);
  const absence = absences?.get(name);
  if (absence) return mayBeMissing(name, field, absence);
  if (field === undefined) return undefined;
  if (name === "bead") return checkField(name, field, known.beadFields, "warning");
  if (known.stepNames.has(name) || name === "previous" || name === "loop_entry") {
    return checkField(name, field, stepFields, "error");
  }
  const setters = [...(known.outputs.get(name) ?? [])];
  if (setters.length === 0) return undefined;
  if (setters.every((type) => type === "script"))
    return { severity: "error", message: `.${name} is text and has no fields` };
  if (!setters.every((type) => type === "agent") || agentFields.includes(field)) return undefined;
  const hint = `what an agent adds stands below outputs: .${name}.outputs.${field}`;
  return { severity: "error", message: `.${name} has no field ${field}`, hint };
}

/** In a condition a missing value is no boolean, and fails the run. */
function mayBeMissing(name: string, field: string | undefined, absence: Absence): Finding {
  const asked = field === undefined ? `.${name}` : `.${name}.${field}`;
  const hint = `say what counts then: {{default false ${asked}}}`;
  if ("firstIteration" in absence) {
    return { severity: "error", message: `.${name} is missing in the loop's first iteration`, hint };
  }
  return { severity: "warning", message: `.${name} is missing when the step ${absence.step} is skipped`, hint };
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
    // A bead may carry fields of its own; one that nearly is another was most likely meant to be that.
    severity: meant === undefined ? severity : "error",
    message: `.${name} has no field ${field}`,
    hint: meant === undefined ? `it has ${known.join(", ")}` : `did you mean .${name}.${meant}?`,
  };
}

function unknownName(name: string, { scope, known: { steps, never }, step, absences }: Surrounding): Finding {
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
  const executed = steps.filter((each) => !never.has(each));
  const setter = setBy(name, executed);
  const silent = setter ? undefined : setBy(name, steps);
  if (silent) {
    const hint = `take its condition away, or ${guard}`;
    return { severity, message: `.${name} is set by the step ${silent.name} alone, which never runs`, hint };
  }
  if (setter?.name === step) {
    const hint = "what it gives is there for the steps behind it";
    return { severity, message: `.${name} is set by this very step`, hint };
  }
  if (setter) {
    const hint = `move the step ${setter.name} before this one, or ${guard}`;
    return { severity, message: `.${name} is set only later, by the step ${setter.name}`, hint };
  }
  const meant = nearest(name, writable(scope));
  const given = `give it with --var ${name}=VALUE, or ${guard}`;
  return { severity, message: `nothing sets .${name}`, hint: meant === undefined ? given : `did you mean .${meant}?` };
}

function setBy(name: string, steps: readonly Step[]): Step | undefined {
  return steps.find((step) => namesOf(step).includes(name) || outputOf(step) === name);
}

/** Names that can be written behind a dot. */
function writable(scope: Scope): string[] {
  return Object.keys(scope).filter((name) => !name.includes("-"));
}
