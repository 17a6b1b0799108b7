import { beadFields, type Bead } from "../../contract/bead.ts";
import { templateName, type Json, type Step } from "../../contract/grimoire.ts";
import { Unknown, type Data, type UnknownType } from "../template/unknown.ts";

const agentFieldTypes: Record<string, UnknownType> = { success: "boolean", summary: "text", outputs: "object" };

const stepFieldTypes: Record<string, UnknownType> = {
  success: "boolean",
  failed: "boolean",
  output: "any",
  exit_code: "int",
  summary: "text",
  outputs: "object",
};

/** The fields that a step's name and `.previous` have. */
export const stepFields = Object.keys(stepFieldTypes);

/** The fields of an agent's result. */
export const agentFields = Object.keys(agentFieldTypes);

export type PreviewScope = Record<string, Data>;

/** A scope without inherited names: it has only those that were set. */
export function makeScope(bead: Bead | undefined, variables: Record<string, Json>): PreviewScope {
  return Object.assign(Object.create(null) as PreviewScope, variables, { bead: bead ?? unknownBead() });
}

/** A bead that is not known yet. It may have other fields too. */
function unknownBead(): Unknown {
  const types = beadFields.map((name) => [name, beadFieldTypes[name] ?? "text"] as const);
  return new Unknown("bead", "object", unknownFields("bead", Object.fromEntries(types)), true);
}

function unknownFields(label: string, types: Record<string, UnknownType>): Record<string, Unknown> {
  const fields = Object.entries(types).map(([name, type]) => [name, new Unknown(`${label}.${name}`, type)] as const);
  return Object.fromEntries(fields);
}

/** Fields of a bead that are not text. */
const beadFieldTypes: Partial<Record<(typeof beadFields)[number], UnknownType>> = {
  priority: "int",
  estimated_minutes: "int",
  labels: "list",
  dependencies: "list",
  comments: "list",
  metadata: "object",
};

/** The result of a step that has not run. */
export function resultOf(label: string, step?: Step): Unknown {
  const fields = unknownFields(label, stepFieldTypes);
  return new Unknown(label, "object", step ? { ...fields, output: outputValue(`${label}.output`, step) } : fields);
}

/** The variables that a step sets when it runs, with what is known of them. */
export function variablesOf(step: Step): [string, Data][] {
  const result = resultOf(step.name, step);
  const variables: [string, Data][] = namesOf(step).map((name) => [name, result]);
  const output = outputName(step);
  if (output !== undefined) variables.push([output, outputValue(output, step)]);
  return variables;
}

/** What stands under a step's `output`: a script's text, an agent's result, or what the loop's last step gave. */
function outputValue(label: string, { type }: Step): Unknown {
  if (type === "script") return new Unknown(label, "text");
  if (type !== "agent") return new Unknown(label);
  return new Unknown(label, "object", unknownFields(label, agentFieldTypes));
}

/** A step's name, and the form that templates can write. */
export function namesOf({ name }: Step): string[] {
  return name.includes("-") ? [name, templateName(name)] : [name];
}

export function outputName(step: Step): string | undefined {
  return "output" in step ? step.output : undefined;
}

/** Fields that templates may ask a bead for. */
export function knownBeadFields(bead: Bead | undefined): string[] {
  return [...new Set([...beadFields, ...Object.keys(bead ?? {})])];
}
