import { InvalidArgumentError, type Command } from "commander";
import type { FieldChanges } from "../../../contract/api/bead-shapes.ts";
import type { Input, JsonOption } from "../../context.ts";

/** The options that `create` and `update` share. */
export interface FieldOptions extends JsonOption, Partial<Record<TextOption, string>> {
  priority?: number;
}

type TextOption = keyof typeof clearableFields | "type" | "estimate";

/** Options that an empty value clears, and the fields of a bead that they set. */
const clearableFields = {
  description: "description",
  design: "design",
  acceptance: "acceptance_criteria",
  notes: "notes",
  assignee: "assignee",
  externalRef: "external_ref",
  due: "due_at",
  defer: "defer_until",
} as const;

export function addFieldOptions(command: Command): Command {
  return command
    .option("-t, --type <type>", "task, bug, feature, epic, chore, decision, or one of your own")
    .option("-p, --priority <0-4>", "0 is the most urgent", readPriority)
    .option("-d, --description <text>", "what and why; - reads it from stdin")
    .option("--design <text>", "how")
    .option("--acceptance <text>", "when it is done")
    .option("--notes <text>", "anything else")
    .option("--assignee <name>", "who works on it")
    .option("--estimate <minutes>", "how long it may take", readMinutes)
    .option("--external-ref <ref>", "what it is called elsewhere, such as gh-9")
    .option("--due <time>", "when it should be done: 2026-12-01, 2026-12-01 10:00, tomorrow, +30m, +6h, +2d, +3w")
    .option("--defer <time>", "not before then: a time like that of --due; m is minutes")
    .option("--json", "print JSON");
}

/** The fields that the options name. An empty value is null: it clears the field of an existing bead. */
export async function readFields(input: Input, options: FieldOptions): Promise<FieldChanges> {
  const { type, priority, estimate } = options;
  const texts = options.description === "-" ? { ...options, description: String(await input.readStdin()) } : options;
  const names = Object.keys(clearableFields) as (keyof typeof clearableFields)[];
  return {
    ...(type !== undefined && { issue_type: type }),
    ...(priority !== undefined && { priority }),
    ...(estimate !== undefined && { estimated_minutes: estimate === "" ? null : Number(estimate) }),
    ...Object.fromEntries(
      names.flatMap((name) => (texts[name] === undefined ? [] : [[clearableFields[name], texts[name] || null]])),
    ),
  };
}

export function readPriority(text: string): number {
  const digit = /^[Pp]?([0-4])$/.exec(text)?.[1];
  if (digit === undefined) throw new InvalidArgumentError("It must be a number from 0, the most urgent, to 4.");
  return Number(digit);
}

function readMinutes(text: string): string {
  if (!/^\d{0,7}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of minutes.");
  return text;
}

/** For options that can be given several times. */
export function collect(text: string, earlier: string[] = []): string[] {
  return [...earlier, text];
}

/** For values to filter by, which are never empty. */
export function notEmpty(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}
