import * as z from "zod/mini";
import { answerStops } from "../../../contract/engine.ts";
import type { Json } from "../../../contract/grimoire.ts";
import { nearest } from "../../../text/nearest.ts";
import { yamlWords } from "../../../contract/yaml-messages.ts";
import { readRegular } from "../../files/regular-file.ts";

/** The form of a script. Every message completes "PLACE: …". */

const json = z.unknown() as z.ZodMiniType<Json>;
const text = () => z.string({ error: "must be text" });
const nonEmptyText = () => text().check(z.minLength(1, { error: "must not be empty" }));
const count = (error: string) => z.int({ error }).check(z.minimum(0, { error }));
const mapping = { error: "must be a mapping" };

/** A timer cannot wait longer. */
const longestDelayMs = 2 ** 31 - 1;
const delay = `must be milliseconds: a whole number from 0 to ${longestDelayMs}`;

const write = z.strictObject({ path: nonEmptyText(), content: text() }, mapping);
const tool = z.strictObject(
  { name: nonEmptyText(), input: z.exactOptional(json), result: z.exactOptional(json) },
  mapping,
);
const ask = z.strictObject({ tool: nonEmptyText(), input: z.exactOptional(json) }, mapping);
const tokens = "must be a number of tokens";
const dollars = "must be a number of dollars";
const usage = z.strictObject(
  {
    input: count(tokens),
    output: count(tokens),
    /** How much of the input came from a cache. */
    cached: z.exactOptional(count(tokens)),
    /** Without it, the engine tells no cost. */
    cost_usd: z.exactOptional(z.number({ error: dollars }).check(z.minimum(0, { error: dollars }))),
  },
  mapping,
);

const turn = z
  .strictObject(
    {
      /** Plays only if this text occurs in the prompt. */
      when: z.exactOptional(nonEmptyText()),
      say: z.exactOptional(text()),
      think: z.exactOptional(text()),
      /** Waits for a permission; what follows in the turn is done only with it. */
      ask: z.exactOptional(z.union([ask, z.array(ask).check(z.minLength(1, { error: "must not be empty" }))], mapping)),
      write: z.exactOptional(write),
      run: z.exactOptional(nonEmptyText()),
      tool: z.exactOptional(tool),
      usage: z.exactOptional(usage),
      /** Not checked any further: the reader of the stream must handle whatever an engine prints. */
      result: z.exactOptional(z.record(z.string(), json, { error: "must be a mapping with success and summary" })),
      /** Acts as if the engine skipped its hooks in this turn. */
      hooks: z.exactOptional(z.literal(false, { error: "can only be false" })),
      /** Acts as if the conversation was compacted before this turn. */
      compact: z.exactOptional(z.enum(["auto", "manual"], { error: "must be auto or manual" })),
      delay_ms: z.exactOptional(count(delay).check(z.maximum(longestDelayMs, { error: delay }))),
      fail: z.exactOptional(nonEmptyText()),
      /** Ends as if the model had not come to the end of its answer. */
      stop: z.exactOptional(z.enum(answerStops, { error: `must be ${answerStops.join(" or ")}` })),
    },
    mapping,
  )
  .check(z.refine(({ result, fail }) => !result || !fail, { error: "ends with result or with fail, not with both" }));

const script = z.strictObject(
  { turns: z.array(turn, { error: "must be a list of turns" }) },
  { error: "must be a mapping with turns" },
);

export type Turn = z.infer<typeof turn>;

/** Throws an Error that names the file and every place where something is wrong. */
export async function readScript(file: string): Promise<Turn[]> {
  let value: unknown;
  try {
    value = await parse(file, readRegular(file).toString("utf8"));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message.trim()}`, { cause: error });
  }
  const checked = z.safeParse(script, value, { jitless: true });
  if (checked.success) return checked.data.turns;
  throw new Error(`${file}: ${checked.error.issues.map(describeIssue).join("; ")}`);
}

/** Imports the YAML reader only when needed: it takes as long to load as the rest of the program. */
async function parse(file: string, source: string): Promise<unknown> {
  if (file.endsWith(".json")) return JSON.parse(source) as unknown;
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const [problem] = document.errors;
  if (!problem) return document.toJS() as unknown;
  const { line, col } = lines.linePos(problem.pos[0]);
  const { message, hint } = yamlWords(problem);
  throw new Error(`line ${line}, column ${col}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const keys = keysAt(issue.path);
  const message =
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => unknownKey(key, keys)).join(", ") : issue.message;
  return `${place.replace(/^\./, "") || "the script"}: ${message}`;
}

/** The keys that are allowed at a path such as `turns`, `[1]`, `write`. */
function keysAt([, index, part]: PropertyKey[]): string[] {
  if (index === undefined) return Object.keys(script.shape);
  if (part === undefined) return Object.keys(turn.shape);
  return Object.keys({ write, tool, ask, usage }[String(part)]?.shape ?? {});
}

function unknownKey(key: string, keys: string[]): string {
  const nearestKey = nearest(key, keys);
  return `knows no ${key}${nearestKey === undefined ? "" : ` (did you mean ${nearestKey}?)`}`;
}
