import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toDocument } from "../src/session/document.ts";
import { readBlock } from "../src/session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../src/session/frontmatter/read.ts";
import { parseItems } from "../src/session/parse.ts";
import { renderItems } from "../src/session/render.ts";

const fixtures = join(import.meta.dirname, "fixtures");

test("S12 a session file of format 1 is read as it was written, and written as it was but for what users' words brought about", async () => {
  const text = readFileSync(join(fixtures, "session-1/session.md"), "utf8");
  const block = readBlock(text);
  const body = text.slice(block.length);
  const items = parseItems(body);
  // What was done about a user's words stood in a line of its own.
  expect(renderItems(items)).toBe(body.replace(/" {2}\n> Action: (.*) {2}\n/g, '" - $1\n'));
  expect(parseItems(renderItems(items))).toEqual(items);
  const document = toDocument(await readFrontmatter(block), items);
  expect(document.tasks.map(({ status }) => status)).toEqual(["completed", "completed", "pending"]);
  expect(
    document.phases.map(({ id, title, agent, channel, entries }) => [id, title, agent, channel, entries.length]),
  ).toEqual([
    ["phase-1", "Research", "coder@2.1", "dev", 7],
    ["phase-2", "Fix", "coder@2.1", null, 8],
  ]);
  expect(document.frontmatter).toMatchObject({ status: "paused", tokens_used: 18_710, resume_point: "phase-2" });
});
