import { ClewError } from "../../contract/errors.ts";
import type { LogEntry, SubagentEntry, ToolEntry } from "../../contract/session.ts";
import type { SubagentMode } from "../../contract/session-values.ts";
import { firstProblem, logEntrySchema } from "../../contract/session-schema.ts";
import { asTitle } from "../../session/title.ts";
import { trimNote } from "../../session/note.ts";
import { cutWholeResult } from "../../session/results.ts";
import { cutToolEntry } from "../../session/tool-call.ts";
import { fromRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import type { Ids } from "./ports.ts";
import { redactRecord } from "../../redact/redact-record.ts";

/** A subagent whose mode may be left to the settings. */
export type LoggedSubagent = Omit<SubagentEntry, "mode"> & { mode?: SubagentMode };
/** The callout of one whose session is there already, or that has none. */
export type SubagentCallout = SubagentEntry & ({ mode: "inline" } | { session: string });
export type CheckedEntry = Exclude<LogEntry, SubagentEntry> | LoggedSubagent;

/** Checks an entry that comes from outside. `hint` is for the caller: by default, one that wrote a line of JSON. */
export function checkEntry(value: unknown, hint: string = entryForm): CheckedEntry {
  const invalidEntry = (problem: string): ClewError => new ClewError("invalid_input", problem, hint);
  if (isEverydayCall(value)) return value;
  const result = logEntrySchema.safeParse(value);
  if (!result.success) throw invalidEntry(firstProblem(result.error));
  const entry = result.data as CheckedEntry;
  if (entry.kind === "phase" && /^summary$/i.test(asTitle(entry.title))) {
    throw invalidEntry("title: a phase cannot be called Summary, that heading is a person's");
  }
  if (entry.kind === "phase" && asTitle(entry.title) === "") throw invalidEntry("title: must not be empty");
  if (entry.kind === "note" && trimNote(entry.text) === "") throw invalidEntry("text: a note must not be empty");
  return entry;
}

const callKeys = new Set(["kind", "name", "args", "result", "failed"]);

/**
 * Most entries of a batch are tool calls that are just as they should be; seeing that takes a tenth of the time of the
 * schema, which stays the judge of everything else.
 */
function isEverydayCall(value: unknown): value is ToolEntry {
  const call = value as Partial<ToolEntry> | null;
  if (typeof call !== "object" || call?.kind !== "tool") return false;
  if (typeof call.name !== "string" || typeof call.args !== "string" || typeof call.failed !== "boolean") return false;
  if (call.result !== undefined && !isEveryday(call.result)) return false;
  return (
    isEveryday(call.args) && /^[\w.:-]{1,100}$/.test(call.name) && Object.keys(call).every((key) => callKeys.has(key))
  );
}

function isEveryday(text: unknown): boolean {
  return typeof text === "string" && text.length < 10_000 && !text.includes("\0");
}

/** The fields of each kind stand in docs/formats/session.md; most people need one of these. */
const entryForm =
  'an entry is such as {"kind":"decision","text":"Use SQLite"} or {"kind":"tool","name":"bash","args":"npm test"}';

interface Finish {
  redact: Redact;
  ids: Ids;
  /** Stores the whole of a text that is cut, and names it. */
  keep: (text: Redacted<string>) => string;
}

/** The entry as it will be written: secrets replaced, long values cut, one-line values on one line, an id where one is needed. */
export function finishEntry<T extends CheckedEntry>(checked: T, { redact, ids, keep }: Finish): Redacted<T> {
  const entry = redactRecord<CheckedEntry>(checked, redact);
  return finished(entry, { ids, keep }) as T & typeof entry;
}

function finished(entry: Redacted<CheckedEntry>, { ids, keep }: Pick<Finish, "ids" | "keep">): Redacted<CheckedEntry> {
  switch (entry.kind) {
    case "tool":
      return fromRedacted(cutToolEntry(entry, keep), withCutResult);
    case "phase":
      return { ...entry, title: asTitle(entry.title) };
    case "note":
      return { ...entry, text: trimNote(entry.text) };
    case "decision_needed":
    case "approval_required":
      return { ...entry, id: entry.id ?? `q-${ids.random(6)}` };
    default:
      return entry;
  }
}

/** A result that is kept as a whole has a limit of its own. */
function withCutResult(entry: ToolEntry): ToolEntry {
  return entry.result_full === undefined ? entry : { ...entry, result_full: cutWholeResult(entry.result_full) };
}
