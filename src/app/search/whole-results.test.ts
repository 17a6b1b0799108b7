import { expect, test } from "vitest";
import { chunksOf, bodyStart } from "../../session/search-chunks.ts";
import { readItems } from "../../session/parse.ts";
import { SearchedResults } from "./whole-results.ts";

/** Calls that are written alike, with other text between them, so that they stand in many chunks. */
const call = "- `run make` → it went …";
const body = Array.from(
  { length: 30 },
  (_, at) => `\n## Phase ${at} ü\n\n> [!agent]\n> ${"words ".repeat(300)}\n\n**Tool calls:**\n${call}\n`,
).join("");

test("S13 the body of a session is read once for all of its hits, and each call has its own result", () => {
  let reads = 0;
  const whole = Array.from({ length: 30 }, (_, at) => `it went as result ${at}`);
  const results = new SearchedResults({
    readBody: () => (reads++, body),
    results: () => new Map([[call, whole]]),
  });
  const place = { bytes: 0, lines: 0, file: "" };
  const chunks = [...chunksOf(body, bodyStart, () => [])];
  expect(chunks.length).toBeGreaterThan(5);
  const found = chunks.toReversed().map((chunk) => {
    const wholeOf = results.inChunk({ session_id: "one", ...chunk }, place);
    const texts: unknown[] = [];
    const text = Buffer.from(body).toString("utf8", chunk.start, chunk.end);
    readItems(
      text,
      0,
      (item) => {
        const given = wholeOf(item);
        if (given.kind === "tool") texts.push(given.result_full);
      },
      true,
    );
    return texts;
  });
  expect(found.toReversed().flat()).toEqual(whole);
  expect(reads).toBe(1);
});
