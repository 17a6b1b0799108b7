import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OutputFiles } from "../src/adapters/journal-file/output-files.ts";
import type { RunJournal } from "../src/adapters/journal-file/run-journal.ts";
import type { SignalFiles } from "../src/adapters/journal-file/signal-files.ts";
import type { Transcript } from "../src/adapters/engines/transcript-files.ts";
import type { SettingStore } from "../src/app/config/ports.ts";
import type { BreadcrumbFiles } from "../src/app/session/ports.ts";
import type { SearchIndex } from "../src/app/search/ports.ts";
import type { SearchChunk } from "../src/session/search-chunks.ts";
import type { IndexedSession, RecordWriter, SessionIndex, SessionRecords } from "../src/app/session/ports.ts";
import { fromRedacted, ofRedactedParts, type Redacted } from "../src/contract/redacted.ts";
import type { PinnedRun } from "../src/contract/pinned-run.ts";
import type { Frontmatter, LogEntry } from "../src/contract/session.ts";
import { makeBead } from "../src/bead/new-bead.ts";
import type { WorkContext } from "../src/run/handlers.ts";
import type { RunHost } from "../src/run/run-host.ts";

/**
 * Nothing here is called: the compiler is the test. Each line has to be refused, because what it writes was not redacted;
 * one that compiles makes `tsc` fail.
 */
export async function neverCalled(writers: {
  record: RecordWriter;
  records: SessionRecords;
  index: SessionIndex;
  search: SearchIndex;
  journal: RunJournal;
  outputs: OutputFiles;
  signals: SignalFiles;
  host: RunHost;
  context: WorkContext;
  transcript: Transcript;
  settings: SettingStore;
  breadcrumbs: BreadcrumbFiles;
  typed: {
    text: string;
    entry: LogEntry;
    head: Frontmatter;
    row: IndexedSession;
    chunk: SearchChunk;
    pinned: PinnedRun;
  };
}): Promise<void> {
  const {
    record,
    records,
    index,
    search,
    journal,
    outputs,
    signals,
    host,
    context,
    transcript,
    settings,
    breadcrumbs,
  } = writers;
  const { text, entry, head, row, chunk, pinned } = writers.typed;
  // @ts-expect-error D7 an entry of a session
  await record.append([entry], { at: "" });
  // @ts-expect-error D7 a value of the frontmatter
  await record.set({ error: text });
  // @ts-expect-error D7 a title
  await record.rename(text);
  // @ts-expect-error D7 a later text of an entry
  await record.amend("", text);
  // @ts-expect-error D7 a new session
  await records.create("id", head);
  // @ts-expect-error D7 args that are kept whole
  records.keep("id", text);
  // @ts-expect-error D7 a row of the index
  index.apply({ put: [row] });
  // @ts-expect-error D7 a part of the search
  search.put({ session_id: "id", started: "", check: "" }, 0, [chunk]);
  // @ts-expect-error D7 a line of a journal
  journal.line({ type: "step.warning", path: "a", attempt: 1, message: text });
  // @ts-expect-error D7 an event of a journal
  await journal.event({ type: "workflow.completed", running_ms: 0, usage: { input_tokens: 0, output_tokens: 0 } });
  // @ts-expect-error D7 a long output
  outputs.store({ success: true, output: text });
  // @ts-expect-error D7 what a person says to a run
  signals.put("id", { id: "s", at: "", signal: { kind: "cancel" }, to: null });
  // @ts-expect-error D7 what a run is pinned to
  await host.start("id", pinned);
  // @ts-expect-error D7 what a step prints
  context.log({ type: "step.output", stream: "stdout", text });
  // @ts-expect-error D7 a line of a transcript
  transcript.append(text);
  // @ts-expect-error D7 a new bead
  makeBead({ id: "a-1", input: { fields: { title: text }, labels: [] }, dependencies: [], now: "", by: undefined });
  // @ts-expect-error D7 a breadcrumb
  await breadcrumbs.add("id", { version: 1, timestamp: "", depth: 0, kind: "note", response: text });
  // @ts-expect-error D7 a setting
  await settings.write("channel", text, "user");
}

/** Nothing here is called either: a part that was not redacted makes the whole refused. */
export function neverCalledParts(text: string, clean: Redacted<{ title: string }>): unknown {
  return [
    ofRedactedParts({ kind: "text", tokens: 1, id: text, title: fromRedacted(clean, ({ title }) => title) }),
    // @ts-expect-error D7 a text that could be any
    ofRedactedParts({ kind: "text", text }),
    // @ts-expect-error D7 a field of a redacted value, taken out by hand
    ofRedactedParts({ title: clean.title }),
    // @ts-expect-error D7 a structure that was not redacted itself
    ofRedactedParts({ entry: { text } }),
    // @ts-expect-error D7 a value that was not redacted, made into another
    fromRedacted({ text }, (value) => value.text),
  ];
}

/** Each of these says why the value is redacted; everything else goes through functions that the compiler checks. */
const mayAssume = [
  "src/contract/redacted.ts",
  "src/redact/",
  "src/adapters/engines/redact-event.ts",
  "src/adapters/engines/stderr-log.ts",
  "src/adapters/journal-dbos/read-back.ts",
  "src/adapters/journal-file/signal-files.ts",
  "src/adapters/turns/turn-journals.ts",
  "src/app/agent/talk-state.ts",
  "src/app/search/fill.ts",
  "src/app/session/indexed-session.ts",
  "src/app/turn/execution/memo-changes.ts",
  "src/app/work/state.ts",
  "src/run/host-events.ts",
  "src/run/redact-note.ts",
];

test("D7 assumeRedacted is called in a few named places", () => {
  const callers = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name}`)
    .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file))
    .filter((file) => readFileSync(file, "utf8").includes("assumeRedacted"));
  expect(callers.filter((file) => !mayAssume.some((place) => file.startsWith(place)))).toEqual([]);
});

test("D7 only the redactor and assumeRedacted make a value count as redacted", () => {
  const casting = /\bas (?:unknown as )?Redacted</;
  const allowed = new Set(["src/contract/redacted.ts"]);
  const casts = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name}`)
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, at) => (casting.test(line) && !allowed.has(file) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
  expect(casts).toEqual([]);
});
