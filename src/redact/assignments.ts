import type { SecretRule } from "./rule.ts";

/** A quote, as deep as JSON inside JSON escapes it. */
export const quote = String.raw`\\{0,8}["'\x60]`;

/** What may stand between a name and its sign: `API_KEY_2`, `"api_key"`, `env["API_KEY"]`. */
const suffix = String.raw`(?:[_-]?(?:key|value|prod|production|staging|live|dev|test|\d{1,2}))?`;
const nameEnd = String.raw`${suffix}(?:${quote}\]?)?[ \t]{0,8}`;

/** How a value follows its name. */
const sign = String.raw`(?::[ \t]{0,2}(?:string|str)[ \t]{0,2})?(?:[:?|&]{0,2}={1,3}>?|:)[ \t]{0,8}`;
const comma = String.raw`(?<=["']),[ \t]{0,8}`; // setenv("API_KEY", "…")
const flag = String.raw`(?<=--[\w-]{0,60}[ \t]{1,8})`; // --api-key …
const element = String.raw`>(?<=<[\w:.-]{0,60}>)(?=[^\s<]{1,4096}</)`; // <apiKey>…</apiKey>

/** A backslash belongs to a quoted value unless it escapes a quote or a control character. */
const quotedValue = String.raw`(?:[^\s"'\x60\\]|\\[^\s"'\x60\\bfnrtu]){6,4096}(?=${quote}|$)`;

const bareChar = String.raw`[\w+/=.~!@#$%^*:-]`;
const bareEnd = String.raw`(?=[\s"'\x60,;&)}\]<>|\\]|$)`;
/** Deep inside a long run of such characters no value begins: to try at each name in it would take time without end. */
const notInRun = `(?<!${bareChar}{200})`;
const bareValue = String.raw`${notInRun}(?!\$)(?:${bareChar}{4096}|${bareChar}{8,4095}${bareEnd})`;

/** A line of an .env file or a shell's `export`; an entry of such lines in JSON. */
const envLine = String.raw`(?<=(?:^|[\r\n"'\x60]|\\n|export[ \t]|\[[0-9;]{0,12}m)[A-Z][A-Z0-9_]{0,100}=)`;
const envValue = String.raw`[^\s"'\x60\\\[][^\s"'\x60\\]{7,4095}`;

/**
 * The rules for `name = value`: quoted or bare; and as a line of an .env file, where a bare value may hold any sign
 * and runs to the next space. `name` is a pattern, `hints` are what it begins with.
 */
export function assignments(
  id: string,
  name: string,
  hints: string[],
  accept: NonNullable<SecretRule["accept"]>,
): SecretRule[] {
  const assigned = `(${name}${nameEnd}(?:${sign}|${comma}|${flag}|${element})(?:${quote})?)`;
  const value = String.raw`(?:(?<=["'\x60])${quotedValue}|(?<!["'\x60])${bareValue})`;
  const envName = `(${name.toUpperCase()}[A-Z0-9_]{0,20}=)`;
  return [
    { id, hints, accept, pattern: new RegExp(assigned + value, "i") },
    { id, hints: hints.map((hint) => hint.toUpperCase()), accept, pattern: new RegExp(envName + envLine + envValue) },
  ];
}
