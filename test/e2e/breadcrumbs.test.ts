import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Breadcrumb } from "../../src/contract/breadcrumb.ts";
import { Repo } from "../support/repo.ts";

interface Listed {
  breadcrumbs: Breadcrumb[];
  unreadable: { path: string; reason: string }[];
}

async function withSession(repo: Repo): Promise<string> {
  const { session_id } = await repo.json<{ session_id: string }>("session", "start", "Mend the roof");
  return session_id;
}

const add = (id: string, kind: string, text: string, ...more: string[]): string[] => [
  "session",
  "breadcrumb",
  "add",
  "--cookie",
  id,
  "--kind",
  kind,
  "--text",
  text,
  ...more,
];

test("W5 an agent leaves breadcrumbs, which are files that a person can read, and are listed in the order of time", async () => {
  using repo = new Repo();
  const id = await withSession(repo);
  const { path, timestamp } = await repo.json<{ path: string; timestamp: string }>(
    ...add(id, "decision", "Slate, not tin", "--files", "roof.ts", "gutter.ts"),
  );
  await repo.clew(...add(id, "note", "The gutter is next"));
  const text = readFileSync(path, "utf8");
  expect(path).toBe(join(repo.root, ".clew/sessions", id, "breadcrumbs/0", `${timestamp.replaceAll(":", "")}.json`));
  expect(JSON.parse(text)).toEqual({
    version: 1,
    timestamp,
    depth: 0,
    kind: "decision",
    response: "Slate, not tin",
    files_modified: ["roof.ts", "gutter.ts"],
  });
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  const { breadcrumbs, unreadable } = await repo.json<Listed>("wsession", "breadcrumbs", id);
  expect(breadcrumbs.map(({ kind, response }) => [kind, response])).toEqual([
    ["decision", "Slate, not tin"],
    ["note", "The gutter is next"],
  ]);
  expect(unreadable).toEqual([]);
  const last = await repo.json<Listed>("session", "breadcrumbs", id, "--limit", "1");
  expect(last.breadcrumbs.map(({ kind }) => kind)).toEqual(["note"]);
  expect((await repo.json<Listed>("session", "breadcrumbs", id, "--depth", "1")).breadcrumbs).toEqual([]);
  expect(await repo.clew("session", "breadcrumbs", id, "--summary")).toMatch(
    /decision .*Slate, not tin\n.*note .*The gutter/,
  );
});

test("W9 show and show --json have the breadcrumbs", async () => {
  using repo = new Repo();
  const id = await withSession(repo);
  expect(await repo.json("session", "show", id)).not.toHaveProperty("breadcrumbs");
  await repo.clew(...add(id, "gate", "The tests are green"));
  expect(await repo.json("session", "show", id)).toMatchObject({
    breadcrumbs: [{ kind: "gate", response: "The tests are green" }],
  });
  expect(await repo.clew("session", "show", id)).toMatch(/Breadcrumbs\n.*\n.*gate .*The tests are green/);
});

test("W5 a cookie that does not exist, an ended session and a wrong form are refused, and leave nothing", async () => {
  using repo = new Repo();
  const id = await withSession(repo);
  expect(await repo.refused(add("2026-11-01-none", "note", "x"))).toMatchObject({ code: "unknown_session" });
  expect(await repo.refused(add("latest", "note", "x"))).toMatchObject({ code: "unknown_session" });
  expect(await repo.refused(add("../escape", "note", "x"))).toMatchObject({ code: "unknown_session" });
  expect(await repo.refused(add(id, "round", "x"))).toMatchObject({ code: "usage" });
  expect(await repo.refused(add(id, "note", "  "))).toMatchObject({ code: "invalid_input" });
  expect(await repo.refused(add(id, "note", "x".repeat(20_001)))).toMatchObject({ code: "invalid_input" });
  await repo.clew("session", "end", id);
  expect(await repo.refused(add(id, "note", "too late"))).toMatchObject({ code: "invalid_input" });
  expect(readdirSync(join(repo.root, ".clew/sessions", id))).toEqual(["session.md"]);
});

test("D7 W5 no secret stands in a breadcrumb", async () => {
  using repo = new Repo();
  const id = await withSession(repo);
  const secret = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
  const { path } = await repo.json<{ path: string }>(
    ...add(id, "note", `the key is ${secret}`, "--files", `${secret}.txt`),
  );
  expect(readFileSync(path, "utf8")).not.toContain(secret);
  expect(readFileSync(path, "utf8")).toContain("[redacted");
});

test("W5 many processes leave breadcrumbs at once, and none is lost", async () => {
  using repo = new Repo();
  const id = await withSession(repo);
  const texts = Array.from({ length: 8 }, (_, at) => `note ${at}`);
  await Promise.all(texts.map((text) => repo.clew(...add(id, "note", text))));
  const { breadcrumbs } = await repo.json<Listed>("session", "breadcrumbs", id);
  expect(new Set(breadcrumbs.map(({ response }) => response))).toEqual(new Set(texts));
});
