import fc from "fast-check";
import { expect, test } from "vitest";
import { claudeTranscript } from "./claude.ts";
import { TranscriptEntries, type TranscriptEntry } from "./entries.ts";

/** A text as people and tools write it, sometimes so long that its line is read in part. */
const texts = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom(1, 1, 200))
  .map(([text, times]) => `${text}\n,"toolUseResult":`.repeat(times));
const ids = fc.constantFrom("m-1", "m-2", "m-3");
const common = { cwd: "/w", sessionId: "s-1", timestamp: "2026-11-15T08:00:00.000Z" };

interface Line {
  /** The id of its message, and the tokens that the line tells. */
  message?: string;
  tokens?: number;
  json: string;
}

const line = (fields: object): string => JSON.stringify({ parentUuid: null, ...fields, ...common });

const promptLines = texts.map((text): Line => ({ json: line({ type: "user", message: { content: `Do ${text}` } }) }));

const agentLines = fc
  .tuple(ids, fc.integer({ min: 1, max: 1000 }), fc.constantFrom("text", "thinking"), texts)
  .map(([message, tokens, type, text]): Line => {
    const usage = { input_tokens: tokens, output_tokens: 0 };
    const content = [{ type, [type]: text }];
    return { message, tokens, json: line({ message: { id: message, model: "m", content, usage }, type: "assistant" }) };
  });

const resultLines = fc.tuple(texts, fc.option(fc.jsonValue())).map(([content, data]): Line => {
  const message = { content: [{ tool_use_id: "c-1", type: "tool_result", content }] };
  return { json: line({ type: "user", message, ...(data !== null && { toolUseResult: { data } }) }) };
});

const otherLines = fc
  .oneof(fc.string(), fc.constant('{"type":"summary","summary":"x"}'), fc.constant('{"type":"new"}'))
  .map((json): Line => ({ json: json.replaceAll("\n", " ") }));

const transcripts = fc.array(fc.oneof(promptLines, agentLines, resultLines, otherLines), { maxLength: 30 });

function newEntries(): TranscriptEntries {
  return new TranscriptEntries({
    counts: () => true,
    prices: () => undefined,
    subagents: new Map(),
    agent: "claude",
    titleOf: (prompt) => prompt.slice(0, 20),
  });
}

/** The entries of lines that stand in a buffer among other bytes, as they do in a piece of a file. */
function entriesOf(lines: Line[], before: number): TranscriptEntry[] {
  const reader = claudeTranscript();
  const entries = newEntries();
  const all = lines.flatMap(({ json }) => {
    const bytes = Buffer.from(json);
    const piece = Buffer.alloc(before + bytes.length + before, '"');
    bytes.copy(piece, before);
    const read = reader.read(piece.subarray(before, before + bytes.length));
    // Whoever reads the bytes next finds them as they were.
    expect(piece.equals(Buffer.concat([Buffer.alloc(before, '"'), bytes, Buffer.alloc(before, '"')]))).toBe(true);
    return read && "events" in read ? read.events.flatMap((event) => entries.add(event)).map(decoded) : [];
  });
  return [...all, ...entries.settle()];
}

/** What is not decoded yet as it will be. */
function decoded(entry: TranscriptEntry): TranscriptEntry {
  if (entry.kind !== "encoded") return entry;
  const result = entry.result.decode();
  expect(result.startsWith(entry.call.result!)).toBe(true);
  return { ...entry.call, result };
}

test("W12 the same lines always give the same entries, wherever in a piece of the file they stand", () => {
  fc.assert(
    fc.property(transcripts, fc.nat(100), (lines, before) => {
      expect(entriesOf(lines, before)).toEqual(entriesOf(lines, 0));
    }),
  );
});

test("W12 a tool's result is what the model saw, whatever stands beside it as data", () => {
  fc.assert(
    fc.property(texts, fc.jsonValue(), (content, data) => {
      const message = { content: [{ tool_use_id: "c-1", type: "tool_result", content }] };
      const json = line({ type: "user", message, toolUseResult: data });
      expect(entriesOf([{ json }], 0)).toEqual([
        { kind: "tool", name: "tool", args: "", result: content, failed: false },
      ]);
    }),
  );
});

test("W12 a message counts once, with the figures that its last line tells", () => {
  fc.assert(
    fc.property(transcripts, (lines) => {
      const last = new Map(lines.flatMap(({ message, tokens }) => (message ? [[message, tokens!] as const] : [])));
      // A message may go on after a prompt with fewer tokens than were counted before: those stay.
      fc.pre(onlyGrow(lines));
      const counted = entriesOf(lines, 0).flatMap((entry) => (entry.kind === "tokens" ? entry.tokens : []));
      const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);
      expect(sum(counted)).toBe(sum(last.values()));
    }),
  );
});

function onlyGrow(lines: Line[]): boolean {
  const latest = new Map<string, number>();
  return lines.every(({ message, tokens = 0 }) => {
    if (message === undefined) return true;
    const isMore = tokens >= (latest.get(message) ?? 0);
    latest.set(message, tokens);
    return isMore;
  });
}

test("W12 a long result is told without decoding it, and only where it is written as JSON.stringify writes it", () => {
  const long = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => text.repeat(1500));
  const writers: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replaceAll("/", "\\/"),
    (text) => text.replace(/[A-Za-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  ];
  fc.assert(
    fc.property(long, fc.constantFrom(...writers), fc.option(fc.jsonValue()), (content, write, data) => {
      const message = { content: [{ tool_use_id: "c-1", type: "tool_result", content }] };
      const json = line({ type: "user", message, ...(data !== null && { toolUseResult: { data } }) });
      const written = json.replace(JSON.stringify(content), () => write(JSON.stringify(content)));
      expect(entriesOf([{ json: written }], 3)).toEqual([
        { kind: "tool", name: "tool", args: "", result: content, failed: false },
      ]);
    }),
  );
});

test("W12 a result that says what stands for a result, or holds other lines, is read as it is", () => {
  const words = "(a result that is not decoded)";
  const blocks = [
    { tool_use_id: "c-1", type: "tool_result", content: `one ${"x".repeat(5000)}` },
    { tool_use_id: "c-2", type: "tool_result", content: words },
    { tool_use_id: "c-3", type: "tool_result", content: [{ type: "text", text: "y".repeat(5000) }] },
    {
      tool_use_id: "c-4",
      type: "tool_result",
      content: JSON.stringify({ type: "tool_result", content: "z".repeat(5000) }),
    },
  ];
  const results = (json: string): unknown[] =>
    entriesOf([{ json }], 1).map((entry) => (entry.kind === "tool" ? entry.result : entry));
  const contents = [blocks[0]!.content, words, "y".repeat(5000), blocks[3]!.content];
  for (const order of [blocks, blocks.toReversed()]) {
    const json = line({ type: "user", message: { content: order } });
    expect(results(json)).toEqual(order === blocks ? contents : contents.toReversed());
    expect(results(json.replace("(a result", "\\u0028a result"))).toEqual(
      order === blocks ? contents : contents.toReversed(),
    );
  }
});
