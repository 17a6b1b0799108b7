import type { Json } from "../contract/grimoire.ts";

type Redact = (text: string) => string;

/** A name gives its value away only where the value is as short as secrets are. */
const longestNamed = 4096;

/** The names that the rules know; others need not be tried. */
const mayTell = /pass|pwd|secret|token|credential|key|authorization|bearer/i;

/**
 * Every text in a value goes through the redactor, at any depth, names too: once alone, and once with its name before
 * it, because a name gives its value away. What no JSON file can hold is replaced, so that a value is the same before it
 * was written and after it was read: lone surrogates, numbers without end, the negative zero.
 */
export function redactJson<T>(value: T, redact: Redact): T {
  return walk(value as Json | undefined, redact) as T;
}

/** Whether a value holds a secret. What is only replaced because no JSON file can hold it is none. */
export function holdsSecret(value: unknown, redact: Redact): boolean {
  const text = (by: Redact): string | undefined => JSON.stringify(redactJson(value, by));
  return text(redact) !== text((each) => each);
}

function walk(value: Json | undefined, redact: Redact, name?: string): Json | undefined {
  if (typeof value === "string") return redactText(value.toWellFormed(), redact, name);
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "object" || value === null) return value;
  // Nearly nothing holds a secret, so that nearly nothing has to be copied.
  if (Array.isArray(value)) {
    const items = value.map((each) => walk(each, redact, name) ?? null);
    return items.every((each, at) => Object.is(each, value[at])) ? value : items;
  }
  const members = Object.entries(value).map(([key, each]) => [redact(key), walk(each, redact, key)] as const);
  const isSame = Object.entries(value).every(([key, each], at) => {
    const [redactedKey, redacted] = members[at]!;
    return redactedKey === key && Object.is(redacted, each);
  });
  return isSame ? value : (Object.fromEntries(members) as Json);
}

function redactText(text: string, redact: Redact, name: string | undefined): string {
  const alone = redact(text);
  if (name === undefined || alone !== text || text.length > longestNamed || !mayTell.test(name)) return alone;
  const named = redact(JSON.stringify({ [name]: text }));
  if (named === JSON.stringify({ [name]: text })) return text;
  try {
    const [redacted] = Object.values(JSON.parse(named) as Record<string, unknown>);
    return typeof redacted === "string" ? redacted : "[redacted]";
  } catch {
    return "[redacted]";
  }
}
