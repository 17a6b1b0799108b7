import fc from "fast-check";
import type { Item } from "../../src/session/items.ts";
import { trimNote } from "../../src/session/note.ts";
import { asOneLine } from "../../src/session/text.ts";
import { cutToolEntry } from "../../src/session/tool-call.ts";

/** Random entries for property tests. */

/** Pieces that would do harm if data were read as markup. */
const hostile = fc.constantFrom(
  ..."`|``|```|````|```tasks|~~~|---|## Fake @agent #dev|# Title|> [!decision]|> quoted|[!error]|**Tool calls:**".split(
    "|",
  ),
  ..."- `tool`|→ ✗|✗|→|Resolution:|Resolution\\:|Action:|Summary:|mode: link|[[x]]|![[x]]|Tokens: 5".split("|"),
  ...'"|" - |<!-- clew {"tokens":1} -->|<!--|-->|&#13;|\\&#13;|\\|\\\\|\\n|\\✗|@who|#where|\u202eRTL|עברית|👩‍👩‍👧‍👦|é'.split(
    "|",
  ),
  ..."*|**|_|__|~|~~|***|___|- - -|* * *|===|=|-|+|1.|1)|#|######|>|<b>|</b>|<!|<?|<a@b.c>|&lt;|&#38;|&amp".split("|"),
  ..."[a](b)|![a](b)|[a]: b|[a|a]:|[^1]: x|](|__init__|*x*|~~y~~|`code`|`` a ` b ``|https://x.y/a_b|www.x.y|a@b.c|$x$".split(
    "|",
  ),
  "|",
  "|-|-|",
  "a|b",
  ":-:",
  "    ",
  "\n\n    ",
  "\n\t",
  "\n```\n",
  "\n~~~~ js\n",
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
export const anyText = fc
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
export const title = anyText.map(asOneLine).filter((text) => text !== "" && !/^Summary\s*$/.test(text));

const textItem = fc.record({ kind: fc.constantFrom("text", "decision", "task_complete"), text: anyText });
export const item: fc.Arbitrary<Item> = fc.oneof(
  fc
    .record({
      kind: fc.constant("tool" as const),
      name: fc.oneof(word, fc.constantFrom("`", "``", "a`", "`b")),
      args: fc.oneof(
        anyText,
        fc.dictionary(anyText, anyText, { maxKeys: 3 }).map((input) => JSON.stringify(input)),
      ),
      result: optional(anyText),
      failed: fc.boolean(),
    })
    .map((entry) => cutToolEntry(defined(entry) as never, () => ".clew/transcripts/id/hash.txt"))
    .map(({ result_full: _, ...entry }) => entry),
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
export const body = fc
  .tuple(title, fc.array(item, { maxLength: 12 }))
  .map(([text, items]): Item[] => [
    { kind: "title", text },
    { kind: "phase", title: "Start", mark: { id: "phase-1", at: "2026-11-15T10:00:00.000Z" } },
    ...items.filter((each, index) => each.kind !== "note" || items[index - 1]?.kind !== "note"),
  ]);

function defined(record: object): Item {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as Item;
}

export const runs = { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 2000) };
