import { valueRules } from "./env-values.ts";
import { createFinder, startPass } from "./finder.ts";
import { rules } from "./rules.ts";
import { createStream, type RedactorStream } from "./stream.ts";
import { createWriter } from "./writer.ts";

/** Stands in front of every writer: what it returns may reach the disk. */
export interface Redactor {
  /** Total, idempotent, never throws; returns the same string object when nothing was found. */
  redact: (text: string) => string;
  /** For text that arrives in pieces: all pieces together give what `redact` gives for the whole. */
  stream: () => RedactorStream;
}

interface RedactorOptions {
  /** Values of variables whose names speak of secrets are redacted wherever they stand. */
  env?: Record<string, string | undefined>;
  /** Further values to redact, of at least four characters. */
  extraValues?: string[];
}

export function createRedactor({ env = {}, extraValues = [] }: RedactorOptions): Redactor {
  const find = createFinder([...valueRules(env, extraValues), ...rules]);
  return {
    redact(text) {
      const matches = find(text, 0, text.length, startPass());
      return matches.length === 0 ? text : createWriter().write(text, matches, text.length);
    },
    stream: () => createStream(find),
  };
}
