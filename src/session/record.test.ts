import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Item } from "./items.ts";
import { trimNote } from "./note.ts";
import { normaliseLineEnds, parseItems } from "./parse.ts";
import { renderItems } from "./render.ts";
import { asOneLine } from "./text.ts";
import { cutToolEntry } from "./tool-call.ts";

/** Pieces that would do harm if data were read as markup. */
const hostile = fc.constantFrom(
  ..."`|``|```|````|```tasks|~~~|---|## Fake @agent #dev|# Title|> [!decision]|> quoted|[!error]|**Tool calls:**".split(
    "|",
  ),
  ..."- `tool`|→ ✗|✗|→|Resolution:|Resolution\\:|Action:|Summary:|mode: link|[[x]]|![[x]]|Tokens: 5".split("|"),
  ...'"|" - |<!-- clew {"tokens":1} -->|<!--|-->|&#13;|\\&#13;|\\|\\\\|\\n|\\✗|@who|#where|\u202eRTL|עברית|👩‍👩‍👧‍👦|é'.split(
    "|",
  ),
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "  ",
  " ",
  "\t",
  "\u2028",
  '\n  <!-- clew {"tokens":5} -->',
  "\n  ```\n",
  "\u0085",
  "x".repeat(400),
);
const anyText = fc
  .array(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 8 })
  .map((parts) => parts.join("").replaceAll("\0", "").toWellFormed());
const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[\s@#()[\]\0]/gu, "x").toWellFormed());
const agent = fc
  .tuple(word, fc.option(word, { nil: undefined }))
  .map(([name, version]) => (version ? `${name}@${version}` : name));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const questionId = fc.stringMatching(/^q-[a-z0-9]{6}$/);
const title = anyText.map(asOneLine).filter((text) => text !== "" && !/^Summary\s*$/.test(text));

const textItem = fc.record({ kind: fc.constantFrom("text", "decision", "task_complete"), text: anyText });
const item: fc.Arbitrary<Item> = fc.oneof(
  fc
    .record({
      kind: fc.constant("tool" as const),
      name: fc.oneof(word, fc.constantFrom("`", "``", "a`", "`b")),
      args: anyText,
      result: optional(anyText),
      failed: fc.boolean(),
    })
    .map((entry) => cutToolEntry(defined(entry) as never, () => ".clew/transcripts/id/hash.txt")),
  textItem as fc.Arbitrary<Item>,
  fc.record({
    kind: fc.constantFrom("decision_needed", "approval_required"),
    text: anyText,
    id: questionId,
  }) as fc.Arbitrary<Item>,
  fc.record({ kind: fc.constant("answer"), text: anyText, id: questionId }) as fc.Arbitrary<Item>,
  fc.record({ kind: fc.constant("error"), text: anyText, resolution: optional(anyText) }).map(defined),
  fc.record({ kind: fc.constant("user"), text: anyText, action: optional(anyText) }).map(defined),
  fc
    .record({
      kind: fc.constant("subagent"),
      agent,
      model: optional(word),
      mode: fc.constant("inline"),
      tokens: optional(fc.nat()),
      content: optional(anyText),
      summary: optional(anyText),
    })
    .map(defined),
  fc
    .record({
      kind: fc.constant("subagent"),
      agent,
      model: optional(word),
      mode: fc.constantFrom("link", "embed"),
      session: fc.stringMatching(/^2026-01-01-[a-z0-9]{1,8}$/),
      tokens: optional(fc.nat()),
      summary: optional(anyText),
    })
    .map(defined),
  fc.record({ kind: fc.constant("tokens"), tokens: fc.nat(), model: optional(word) }).map(defined),
  fc
    .record({
      kind: fc.constant("phase"),
      title,
      agent: optional(agent),
      channel: optional(word),
      mark: fc.record({ id: fc.stringMatching(/^phase-\d{1,3}$/), at: anyText }),
    })
    .map(defined),
  fc.record({
    kind: fc.constant("tasks" as const),
    tasks: fc.array(
      fc.record({
        id: word,
        content: anyText,
        status: fc.constantFrom("pending", "in_progress", "completed"),
        priority: word,
      }),
      { maxLength: 3 },
    ),
  }) as fc.Arbitrary<Item>,
  anyText
    .map(trimNote)
    .filter((text) => text !== "")
    .map((text) => ({ kind: "note" as const, text })),
);
/** Notes that stand side by side are one note in the file. */
const body = fc
  .tuple(title, fc.array(item, { maxLength: 12 }))
  .map(([text, items]): Item[] => [
    { kind: "title", text },
    { kind: "phase", title: "Start", mark: { id: "phase-1", at: "2026-11-15T10:00:00.000Z" } },
    ...items.filter((each, index) => each.kind !== "note" || items[index - 1]?.kind !== "note"),
  ]);

function defined(record: object): Item {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as Item;
}

const runs = { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 2000) };

describe("the laws of the record", () => {
  test("S2 S3 S4 S5 S6 parse(render(x)) = x for hostile text", () => {
    fc.assert(
      fc.property(body, (items) => {
        expect(parseItems(renderItems(items))).toEqual(items);
      }),
      runs,
    );
  });

  test("S2 S3 S4 S5 S6 render(parse(file)) = file, byte for byte, for files that Clew wrote", () => {
    fc.assert(
      fc.property(body, (items) => {
        const file = renderItems(items);
        expect(renderItems(parseItems(file))).toBe(file);
      }),
      runs,
    );
  });

  test("S3 S4 an editor that saves with CRLF line ends changes nothing of what is said", () => {
    fc.assert(
      fc.property(body, (items) => {
        const file = renderItems(items).replaceAll("\n", "\r\n");
        expect(parseItems(normaliseLineEnds(file))).toEqual(items);
      }),
      runs,
    );
  });

  test("S12 any text at all can be read, and nothing in it is lost from view", () => {
    fc.assert(
      fc.property(anyText, (text) => void parseItems(text)),
      runs,
    );
  });
});
