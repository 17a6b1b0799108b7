import { assumeRedacted, type Redact, type RedactEncoded } from "../contract/redacted.ts";
import { createEncodedFilter, type HoldsNoHint } from "./encoded-filter.ts";
import { valueRules } from "./env-values.ts";
import { createFinder, startPass } from "./finder.ts";
import { rules } from "./rules.ts";
import { createStream, openingLines, type RedactorStream } from "./stream.ts";
import { Writer } from "./writer.ts";

/** Stands in front of every writer: what it returns may reach the disk. */
export interface Redactor {
  /** Total, idempotent, never throws; returns the same string object when nothing was found. */
  redact: Redact;
  /** The same for a text that JSON.stringify wrote, given as the bytes between its quotes; undefined when it has to be decoded. */
  redactEncoded: RedactEncoded;
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
  const values = valueRules(env, extraValues);
  const find = createFinder([...values, ...rules]);
  let holdsNoHint: HoldsNoHint | undefined;
  const openings = openingLines(values.flatMap(({ hints }) => hints));
  return {
    redact(text) {
      const matches = find(text, 0, text.length, startPass());
      return assumeRedacted(matches.length === 0 ? text : new Writer().write(text, matches, text.length));
    },
    redactEncoded(json) {
      holdsNoHint ??= createEncodedFilter([...values, ...rules]);
      return holdsNoHint(json) ? assumeRedacted(json) : undefined;
    },
    stream: () => createStream(find, openings),
  };
}
