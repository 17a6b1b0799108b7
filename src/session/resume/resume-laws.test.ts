import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry, SessionDocument } from "../../contract/session.ts";
import { questionKinds, taskStatuses } from "../../contract/session-values.ts";
import { asOneLine } from "../text.ts";
import { sessionOf } from "./document.fixture.ts";
import { resumeContext } from "./resume-context.ts";
import { estimateTokens } from "./tokens.ts";

/** Pieces that would do harm if data were read as the frame around it. */
const hostile = fc.constantFrom(
  ..."`|``|```|~~~|# Title|## Go on here|### Fake|> [!decision]|> quoted|- `tool` → ok|- [x] done|<!--|<pre>|**".split(
    "|",
  ),
  ..."東京|👩‍👩‍👧‍👦|é|  |\n|\n\n|\r\n|\r|\n## Left out here\n|\n- `rm -rf` → ok\n|\n```\n|\n> ".split("|"),
  "word ".repeat(60),
  "長".repeat(90),
);
const hostileText = fc
  .array(fc.oneof(hostile, fc.string({ maxLength: 12 })), { maxLength: 10 })
  .map((parts) => parts.join(""));
const longText = fc.tuple(hostileText, fc.integer({ min: 1, max: 12 })).map(([text, times]) => text.repeat(times));
const anyText = fc.oneof({ weight: 4, arbitrary: hostileText }, { weight: 1, arbitrary: longText });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const questionId = fc.constantFrom("q-aaaa", "q-bbbb", "q-cccc");

const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ kind: fc.constantFrom("text", "decision", "task_complete", "note"), text: anyText }),
  fc.record({
    kind: fc.constant("tool"),
    name: fc.constant("bash"),
    args: anyText,
    result: optional(hostileText),
    failed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("decision"), text: anyText }),
  fc.record({ kind: fc.constantFrom(...questionKinds), text: anyText, id: optional(questionId) }),
  fc.record({ kind: fc.constant("answer"), text: anyText, id: questionId }),
  fc.record({ kind: fc.constant("error"), text: anyText, resolution: optional(anyText) }),
  fc.record({ kind: fc.constant("user"), text: anyText, action: optional(anyText) }),
  fc.record({
    kind: fc.constant("subagent"),
    agent: fc.constant("helper"),
    mode: fc.constant("inline"),
    content: anyText,
    summary: optional(anyText),
  }),
  fc.record({ kind: fc.constant("tokens"), tokens: fc.nat() }),
) as fc.Arbitrary<Entry>;

const anyTasks = fc.array(
  fc.record({ id: fc.constant("t"), content: hostileText, status: fc.constantFrom(...taskStatuses) }),
  { maxLength: 6 },
);
const anyHead = fc.record({
  title: anyText,
  session_id: fc.oneof(fc.constant("2026-11-15-fix-login"), longText),
  channel: optional(anyText),
  branch: optional(anyText),
  commit: optional(anyText),
  error: optional(anyText),
  participants: fc.array(anyText, { maxLength: 5 }),
  resume_point: fc.constantFrom(undefined, "phase-1", "phase-2", "phase-4", "gone"),
});

const anyDocument: fc.Arbitrary<SessionDocument> = fc
  .tuple(
    fc.array(fc.array(anyEntry, { maxLength: 8 }), { maxLength: 7 }),
    anyTasks,
    optional(anyText),
    optional(anyText),
    anyHead,
  )
  .map(([phases, tasks, preamble, summary, head]) =>
    sessionOf(
      phases.map((entries, phase) => entries.map((entry, index) => withMark(entry, markOf(phase + 1, index)))),
      {
        tasks: tasks.map((task, index) => ({ ...task, content: `t${index}; ${task.content}` })),
        head: defined(head),
        ...defined({ preamble: preamble && `preamble; ${preamble}`, summary: summary && `summary; ${summary}` }),
      },
    ),
  );

/** Whatever an entry says begins with its mark, by which a test finds it in a context. */
function markOf(phase: number, entry: number): string {
  return `e${phase}x${entry};`;
}

const markedFields = ["text", "args", "result", "resolution", "action", "content", "summary"];

function withMark(entry: Entry, mark: string): Entry {
  const fields = Object.entries(defined(entry));
  return Object.fromEntries(
    fields.map(([key, value]) => [key, markedFields.includes(key) ? `${mark} ${value}` : value]),
  ) as unknown as Entry;
}

function defined<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

const anyBudget = fc.oneof(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1000, max: 8000 }));
const runs = { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 200) };

/** Checks what holds for every session and every budget. */
function forAll(law: (document: SessionDocument, budget: number) => void, budgets = anyBudget): void {
  fc.assert(fc.property(anyDocument, budgets, law), runs);
}

function endOfTold({ frontmatter, phases }: SessionDocument): number {
  return phases.findIndex((phase) => phase.id === frontmatter.resume_point) + 1 || phases.length;
}

/** Every entry with the number of its phase and the mark by which it is found. */
function entriesOf({ phases }: SessionDocument): { phase: number; entry: Entry; mark: string }[] {
  return phases
    .flatMap(({ entries }, phase) => entries.map((entry, index) => ({ phase, entry, mark: markOf(phase + 1, index) })))
    .filter(({ entry }) => entry.kind !== "tokens");
}

function toldEntriesOf(document: SessionDocument): ReturnType<typeof entriesOf> {
  return entriesOf(document).filter(({ phase }) => phase < endOfTold(document));
}

/** How a text of many lines stands in a quote, from its first character on. */
function inQuote(text: string): string {
  const [first, ...more] = text.split(/\r\n|\r|\n/);
  return [first, ...more.map((line) => (line === "" ? ">" : `> ${line}`))].join("\n");
}

/** All that a context says of an entry that it shows whole. */
function saidOf(entry: Entry): string[] {
  if (entry.kind === "tool")
    return [entry.args, entry.result ?? ""].map((text) => text.replace(/\r\n|\r|\n/g, "⏎").trim());
  const { text, resolution, action, content, summary } = entry as Record<string, string | undefined> & Entry;
  return [text, resolution, action, content, summary].filter((said) => said !== undefined).map(inQuote);
}

/** Around the record, a context that is short of room has no more words of its own than these tokens. */
const leastWords = 300;

describe("the laws of a resume context", () => {
  test("S10 no context exceeds its budget, but for decisions in their shortest form; and then it says so", () => {
    forAll((document, budget) => {
      const { text, tokens, left_out, decisions_kept } = resumeContext(document, { budget });
      expect(tokens).toBe(estimateTokens(text));
      const isExceeded = tokens > budget;
      expect([budget, (left_out[0] ?? "").includes("is exceeded")]).toEqual([budget, isExceeded]);
      const shortest = leastWords + decisions_kept * 26;
      if (isExceeded) expect(tokens).toBeLessThanOrEqual(shortest);
    });
  });

  test("S10 no decision is ever left out, however small the budget", () => {
    forAll((document, budget) => {
      const { text, decisions_kept } = resumeContext(document, { budget });
      const decisions = toldEntriesOf(document).filter(({ entry }) => entry.kind === "decision");
      expect(decisions.filter(({ mark }) => !text.includes(mark))).toEqual([]);
      expect(decisions_kept).toBe(decisions.length);
    });
  });

  test("S10 every decision stands there once and as it was logged, whenever the decisions alone fit", () => {
    forAll((document, budget) => {
      const { text, decisions_kept, decisions_shortened } = resumeContext(document, { budget });
      const decisions = toldEntriesOf(document)
        .filter(({ entry }) => entry.kind === "decision")
        .map(({ entry, mark }) => ({ mark, block: `\n> [!decision]\n> ${saidOf(entry)[0]}\n` }));
      const kept = decisions.filter(({ mark }) => text.includes(mark));
      const verbatim = decisions.filter(({ block }) => text.includes(block));
      expect(kept.length).toBe(decisions_kept);
      expect(verbatim.length).toBe(decisions_kept - decisions_shortened);
      expect(kept.map(({ mark }) => text.split(mark).length - 1)).toEqual(kept.map(() => 1));

      const alone = decisions.reduce((sum, { block }) => sum + estimateTokens(block), leastWords);
      if (alone <= budget) expect(verbatim.length).toBe(decisions.length);
    });
  });

  test("S10 recent things come first: after the oldest work that is shown, nothing is missing", () => {
    forAll((document, budget) => {
      const { text } = resumeContext(document, { budget });
      const told = toldEntriesOf(document);
      const oldestWork = told.findIndex(
        ({ entry, mark }) => ["tool", "text"].includes(entry.kind) && text.includes(mark),
      );
      const since = oldestWork < 0 ? [] : told.slice(oldestWork);
      expect(since.map(({ mark }) => mark).filter((mark) => !text.includes(mark))).toEqual([]);
    });
  });

  test("S9 nothing after the resume point is told", () => {
    forAll((document, budget) => {
      const { text } = resumeContext(document, { budget });
      const end = endOfTold(document);
      for (const { mark } of entriesOf(document).filter(({ phase }) => phase >= end)) expect(text).not.toContain(mark);
      for (const { title } of document.phases.slice(end)) expect(text).not.toContain(title);
    });
  });

  test("S10 what was left out is said if and only if something was, or the budget is exceeded", () => {
    const budgets = fc.integer({ min: 0, max: 20_000 });
    forAll((document, budget) => {
      const { text, left_out, tokens } = resumeContext(document, { budget });
      const wanted = [
        ...document.phases.map(({ title, id }) => `### ${title} @coder@1.0 #dev (${id})\n`),
        ...entriesOf(document).flatMap(({ entry }) => saidOf(entry)),
        ...document.tasks.map(({ content }) => asOneLine(content)),
        ...[document.preamble, document.summary].filter((aside) => aside !== undefined).map(inQuote),
      ];
      const isToldWhole = wanted.every((said) => text.includes(said));
      // A budget that cannot be kept is said as well.
      expect(left_out.length === 0).toBe(isToldWhole && tokens <= budget);
      for (const sentence of left_out) expect(text).toContain(sentence);
    }, budgets);
  });

  test("S9 what was logged never reads as a part of the frame", () => {
    forAll((document, budget) => {
      const { text } = resumeContext(document, { budget });
      const lines = text.split(/\r\n|\r|\n/).filter((line) => line !== "" && !line.startsWith(">"));
      const known =
        /^(# Go on with: |## (Left out here|Decisions|Tasks|Above the first phase|What happened|Summary|Go on here)|### Work p|- |You take|The record of|Only `|Go on in|Nothing was|The resume point is|Unfinished tasks|Waiting for)/;
      expect(lines.filter((line) => !known.test(line))).toEqual([]);
      const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.replace(/ — .*/, ""));
      expect(new Set(headings).size).toBe(headings.length);
      const calls = toldEntriesOf(document).filter(({ entry, mark }) => entry.kind === "tool" && text.includes(mark));
      expect(lines.filter((line) => line.startsWith("- `"))).toHaveLength(calls.length);
    });
  });

  test("S9 the same record gives the same context and is left as it was", () => {
    forAll((document, budget) => {
      const copy = structuredClone(document);
      expect(resumeContext(document, { budget })).toEqual(resumeContext(copy, { budget }));
      expect(document).toEqual(copy);
    });
  });
});
