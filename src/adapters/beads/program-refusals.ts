import { beadIdPattern } from "../../bead/bead-id.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { ProgramFailure } from "./bead-program.ts";
import { readObjects } from "./program-answers.ts";
import { unchangedFields } from "./unchanged-fields.ts";

// Errors for programs that did not do what they were told.

/** `update`, or `dep add`: the words before the first flag. */
export function commandOf(args: string[]): string {
  const end = args.findIndex((each) => each.startsWith("-"));
  return args.slice(0, end < 0 ? args.length : end).join(" ");
}

/** The calls that one change has made. */
export interface CallLog {
  name: string;
  /** The bead; undefined when the program chooses the id. */
  id: string | undefined;
  /** The commands that succeeded. */
  succeeded: string[];
  /** The commands that may have succeeded. */
  unclear: string[];
}

/** Adds to an error what a person must know before they repeat the command: what was done, and what may have been. */
export function withCalls(error: unknown, { name, id, succeeded, unclear }: CallLog): unknown {
  if (!(error instanceof ClewError)) return error;
  const hasNoCalls = succeeded.length === 0 && unclear.length === 0;
  if (hasNoCalls && !(error instanceof ProgramFailure)) return error;
  const listed = (calls: string[]): string => calls.map((each) => `${name} ${each}`).join(", ");
  const advice = [
    ...(hasNoCalls ? ["nothing was written"] : []),
    ...(succeeded.length > 0 ? [`done before that: ${listed(succeeded)}`] : []),
    ...(unclear.length > 0 ? [`nobody knows whether this was done: ${listed(unclear)}`] : []),
    ...(hasNoCalls ? [] : [`${name} ${id === undefined ? "list" : `show ${id}`} tells what there is now`]),
  ];
  const hint = [error.hint, ...advice].join("; ");
  if (!(error instanceof ProgramFailure)) return new ClewError(error.code, error.message, hint, { cause: error });
  return new ProgramFailure(error.message, hint, { isUnclear: error.isUnclear, cause: error });
}

/** Adds the new id to an error: a repeated command would create a second bead. */
export function withCreatedId(error: unknown, name: string, id: string): unknown {
  if (!(error instanceof ClewError)) return error;
  return new ClewError(
    error.code,
    `${name} made ${id}, and then: ${error.message}`,
    `${error.hint}; do not create it again`,
    { cause: error },
  );
}

/** Returns the bead as the program shows it. Throws when it lacks the change: the program may have done nothing. */
export function confirmChange(name: string, actual: Bead | undefined, before: Bead, expected: Bead): Bead {
  const wrongFields = actual && unchangedFields(actual, before, expected);
  if (actual && wrongFields?.length === 0) return actual;
  throw new ClewError(
    "not_available",
    actual
      ? `${name} said that it changed ${expected.id}, but it shows another ${wrongFields!.join(", ")}`
      : `${name} said that it wrote ${expected.id}, but it does not show it`,
    `${name} show ${expected.id} tells what it has; ${doctorHint(name)}`,
  );
}

/** The id of the bead that `create` printed. */
export function createdId(name: string, output: string): string {
  const id = readObjects(output)?.[0]?.["id"];
  if (typeof id === "string" && beadIdPattern.test(id)) return id;
  throw new ClewError(
    "not_available",
    `${name} create did not print the bead that it made`,
    `${name} list shows whether it is there; ${doctorHint(name)}`,
  );
}

/** Throws for an empty id, and for one that a program could take for something else. */
export function refuseUnsafeId(id: string): void {
  if (!beadIdPattern.test(id)) throw new ClewError("invalid_input", `${id} cannot be a bead's id`, "clew bead list");
}

/** Whether a message says that there is no such bead; not that there is no database, table or file. */
export function isUnknownBead(message: string, id: string): boolean {
  const text = message.replaceAll(id, "");
  const isMissing = /not found|no such|does not exist|no issues? (?:found|matching)/i.test(text);
  const isBead = text !== message || /\b(?:issue|bead)s?\b/i.test(text);
  return isMissing && isBead && !/database|table|column|file|directory|folder|schema|config|server|branch/i.test(text);
}

export function unknownToProgram(name: string, id: string): ClewError {
  return new ClewError("unknown_bead", `there is no bead ${id} in the ${name} database`, "clew bead list shows them");
}

export function claimedByAnother(name: string, { id, assignee, status }: Bead): ClewError {
  return new ClewError(
    "not_possible_now",
    `${id} could not be claimed: ${assignee} has it (${status ?? "open"})`,
    `${name} show ${id} tells more; ${name} unclaim ${id} gives it back`,
  );
}

export function throwNotClaimed(name: string, id: string): never {
  throw new ClewError("not_available", `${id} could not be claimed: ${name} shows it as nobody's`, doctorHint(name));
}

export function notByClew(name: string, verb: string, command: string): ClewError {
  return new ClewError(
    "not_available",
    `these beads belong to a ${name} database, which clew does not ${verb}`,
    `${name} does it: ${name} ${command}`,
  );
}

export function doctorHint(name: string): string {
  return `${name} doctor tells more`;
}
