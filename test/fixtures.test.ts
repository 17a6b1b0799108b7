import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tokenFiles } from "../src/adapters/daemon/token-files.ts";
import { breadcrumbFiles } from "../src/adapters/files/breadcrumb-files.ts";
import { nodeDisk } from "../src/adapters/files/node-disk.ts";
import { paths } from "../src/adapters/layout.ts";
import { assumeRedacted } from "../src/contract/redacted.ts";
import { toDocument } from "../src/session/document.ts";
import { readBlock } from "../src/session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../src/session/frontmatter/read.ts";
import { parseItems } from "../src/session/parse.ts";
import { renderItems } from "../src/session/render.ts";
import { Folder } from "./support/folders.ts";

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

test("W5 breadcrumbs of version 1 are read, in the order of time", async () => {
  using folder = new Folder();
  const layout = { root: folder.path, sessions: folder.path, home: folder.path };
  cpSync(join(fixtures, "breadcrumbs/1-first"), paths.breadcrumbs(layout, "a"), { recursive: true });
  const { breadcrumbs, unreadable } = await breadcrumbFiles(nodeDisk, layout).list("a");
  expect(unreadable).toEqual([]);
  expect(breadcrumbs.map(({ depth, kind, response }) => [depth, kind, response])).toEqual([
    [0, "round", "The roof is mended."],
    [0, "decision", "Slate, not tin."],
    [1, "round", "Seven."],
  ]);
  expect(breadcrumbs[0]).toEqual(
    JSON.parse(readFileSync(join(fixtures, "breadcrumbs/1-first/0/2026-11-17T142530.123Z.json"), "utf8")),
  );
});

test("D4 a token of version 1 counts, until it expires", () => {
  using folder = new Folder();
  cpSync(join(fixtures, "tokens/1-first"), folder.path, { recursive: true });
  let nowMs = Date.parse("2026-12-01T00:00:00Z");
  const parts = { disk: nodeDisk, folder: folder.path, redact: async () => assumeRedacted, newId: () => "unused" };
  const tokens = tokenFiles({ ...parts, nowMs: () => nowMs });
  const token = `clew_api_abcdefghij_${"A".repeat(43)}`;
  expect(tokens.check(token)).toEqual({ id: "abcdefghij", readOnly: true, hooksOnly: false });
  expect(tokens.list()).toMatchObject([{ id: "abcdefghij", name: "laptop", is_expired: false }]);
  nowMs = Date.parse("2026-12-18T00:00:00Z");
  expect(tokens.check(token)).toBeUndefined();
});
