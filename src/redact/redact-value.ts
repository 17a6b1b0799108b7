import { assumeRedacted, type Redact, type Redacted } from "../contract/redacted.ts";

/** A name gives its value away only where the value is as short as secrets are. */
const maxNamedChars = 4096;

/** The names that the rules know; others need not be tried. */
const tellingName = /pass|pwd|secret|token|credential|key|authorization|bearer/i;

/** How one kind of value differs from any other JSON. */
interface RedactOptions {
  /** Names of fields that the program itself gives; they need no look. */
  names?: ReadonlySet<string>;
  /** Fields whose text can only be one of a few words; they need no look either. */
  fixed?: ReadonlySet<string>;
  /** Gives a redacted text the form that its field asks for. */
  shape?: (text: string, name: string) => string;
  /** What became of each object: one that stands in several values is looked through once. */
  seen?: Map<object, Record<string, unknown>>;
}

/**
 * Every text in a value goes through the redactor, at any depth, names too: once alone, and once with its name before
 * it, because a name gives its value away. What no JSON file can hold is replaced, so that a value is the same before it
 * was written and after it was read: lone surrogates, numbers without end, the negative zero. A value in which nothing
 * was found is returned itself: nearly nothing holds a secret, so that nearly nothing is copied.
 */
export function redactValue<T>(value: T, redact: Redact, form: RedactOptions = {}): Redacted<T> {
  return assumeRedacted(walk(value, "", redact, form) as T);
}

/** The same for a record of texts, numbers and words of the program, whose names the program gives and which tell nothing. */
export function redactTexts<T extends object>(value: T, redact: Redact): Redacted<T> {
  let redacted: Record<string, unknown> | undefined;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const text = members[name];
    if (typeof text !== "string") continue;
    const clean = redact(text.toWellFormed());
    if (clean !== text) (redacted ??= { ...members })[name] = clean;
  }
  return assumeRedacted((redacted ?? value) as T);
}

/** The rules of the redactor take time to load; a value without any text needs none. */
export async function redactWhereText<T>(value: T, load: () => Promise<Redact>): Promise<Redacted<T>> {
  return holdsText(value) ? redactValue(value, await load()) : assumeRedacted(value);
}

function holdsText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "string";
  return Object.values(value).some(holdsText);
}

/** Whether a value holds a secret. What is only replaced because no JSON file can hold it is none. */
export function holdsSecret(value: unknown, redact: Redact): boolean {
  const text = (by: Redact): string | undefined => JSON.stringify(redactValue(value, by));
  return text(redact) !== text(assumeRedacted);
}

function walk(value: unknown, name: string, redact: Redact, form: RedactOptions): unknown {
  if (typeof value === "string") {
    if (form.fixed?.has(name)) return value;
    const text = redactText(value.toWellFormed(), name, redact);
    return form.shape ? form.shape(text, name) : text;
  }
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((each) => walk(each, name, redact, form) ?? null);
    return items.every((each, at) => Object.is(each, value[at])) ? value : items;
  }
  return walkMembers(value as Record<string, unknown>, redact, form);
}

function walkMembers(value: Record<string, unknown>, redact: Redact, form: RedactOptions): Record<string, unknown> {
  const known = form.seen?.get(value);
  if (known) return known;
  const names = Object.keys(value);
  let members: [string, unknown][] | undefined;
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const redactedName = form.names?.has(name) ? name : redact(name);
    const redactedValue = walk(value[name], name, redact, form);
    if (members === undefined && redactedName === name && Object.is(redactedValue, value[name])) continue;
    members ??= names.slice(0, at).map((each) => [each, value[each]]);
    members.push([redactedName, redactedValue]);
  }
  const redacted = members === undefined ? value : Object.fromEntries(members);
  form.seen?.set(value, redacted);
  return redacted;
}

function redactText(text: string, name: string, redact: Redact): string {
  const redactedText = redact(text);
  if (name === "" || redactedText !== text || text.length > maxNamedChars || !tellingName.test(name))
    return redactedText;
  const redactedMember = redact(JSON.stringify({ [name]: text }));
  if (redactedMember === JSON.stringify({ [name]: text })) return text;
  try {
    const [redacted] = Object.values(JSON.parse(redactedMember) as Record<string, unknown>);
    return typeof redacted === "string" ? redacted : "[redacted]";
  } catch {
    return "[redacted]";
  }
}
