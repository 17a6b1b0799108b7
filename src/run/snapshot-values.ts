import type { Json } from "../contract/json.ts";
import type { RunEvent } from "../contract/run-journal.ts";
import { longestStateValue, type RunSnapshot } from "../contract/run-snapshot.ts";

type Values = Pick<RunSnapshot, "variables" | "steps" | "output_names">;
type Completed = Extract<RunEvent, { type: "workflow.step.completed" }>;

/** Takes in variables; what is too long for a snapshot is only in the journal. */
export function keepVariables({ variables }: Pick<Values, "variables">, values: Record<string, Json>): void {
  for (const [name, value] of Object.entries(values)) {
    if (isShort(value)) variables[name] = value;
    else delete variables[name];
  }
}

/** Takes in what a step gave: under its name, and as its output. A skipped or stopped one sets nothing. */
export function keepResult(values: Values, line: Completed): void {
  const { path, attempt, status, exit_code, summary, error, output, outputs } = line;
  if (status !== "succeeded" && status !== "failed") return;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const longFields = (["output", "outputs", "stderr"] as const).filter(
    (field) => line[`${field}_file`] !== undefined || !isShort(line[field] ?? null),
  );
  values.steps[name] = {
    path,
    attempt,
    status,
    ...(exit_code !== undefined && { exit_code }),
    ...(summary !== undefined && isShort(summary) && { summary }),
    ...(error !== undefined && isShort(error) && { error }),
    ...(output !== undefined && !longFields.includes("output") && { output }),
    ...(outputs !== undefined && !longFields.includes("outputs") && { outputs }),
    ...(longFields.length > 0 && { left_out: longFields }),
  };
  const variable = Object.hasOwn(values.output_names, name) ? values.output_names[name] : undefined;
  if (variable === undefined) return;
  if (output === undefined || longFields.includes("output")) delete values.variables[variable];
  else values.variables[variable] = output;
}

function isShort(value: Json): boolean {
  if (typeof value === "string") return value.length <= longestStateValue;
  return typeof value !== "object" || value === null || JSON.stringify(value).length <= longestStateValue;
}
