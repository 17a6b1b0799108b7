import type { Json } from "../contract/grimoire.ts";

/** Every text in a value goes through the redactor, at any depth; lone surrogates, which no file can hold, are replaced. */
export function redactJson<T>(value: T, redact: (text: string) => string): T {
  return walk(value as Json | undefined, redact) as T;
}

function walk(value: Json | undefined, redact: (text: string) => string): Json | undefined {
  if (typeof value === "string") return redact(value.toWellFormed());
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => walk(each, redact) ?? null);
  // Nearly nothing holds a secret, so that nearly nothing has to be copied.
  let copy: { [key: string]: Json } | undefined;
  for (const [key, each] of Object.entries(value)) {
    const redacted = walk(each, redact);
    if (redacted === each || redacted === undefined) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, key, { value: redacted, enumerable: true, configurable: true, writable: true });
  }
  return copy ?? value;
}
