import * as z from "zod/mini";

/**
 * What a schema says about a wrong value where it has no words of its own. Every message completes "FIELD: …". Each file
 * whose schemas a person may hear of calls this, so that the library's own words never reach them.
 */
export function useSchemaMessages(): void {
  z.config({ localeError: (issue) => messageOf(issue) });
}

type Issue = Parameters<NonNullable<ReturnType<typeof z.config>["localeError"]>>[0];

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined ? "is missing" : `must be ${oneOf(issue.values.map(String))}`;
    case "too_big":
      return sizeMessage(issue.origin, "at most", Number(issue.maximum), issue.inclusive === false);
    case "too_small":
      if (isCounted(issue.origin) && Number(issue.minimum) === 1) return "must not be empty";
      return sizeMessage(issue.origin, "at least", Number(issue.minimum), issue.inclusive === false);
    case "unrecognized_keys":
      return `there is no field ${issue.keys.join(" or ")}`;
    case "invalid_union":
      return issue.input === undefined ? "is missing" : "is none of the forms that are known";
    case "invalid_format":
      return "has a form that is not known";
    default:
      return "is not valid";
  }
}

const typeNames: Record<string, string> = {
  string: "text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping of fields to values, in {}",
  record: "a mapping of names to values, in {}",
};

function oneOf(values: string[]): string {
  return values.length === 1 ? values[0]! : `one of ${values.join(", ")}`;
}

const isCounted = (origin: string): boolean => ["string", "array", "set", "map", "file"].includes(origin);

function sizeMessage(origin: string, bound: string, limit: number, isOpen: boolean): string {
  if (!isCounted(origin))
    return isOpen ? `must be ${bound === "at most" ? "less" : "more"} than ${limit}` : `must be ${bound} ${limit}`;
  const unit = origin === "string" ? "characters" : "entries";
  return `must have ${bound} ${limit} ${unit}`;
}
