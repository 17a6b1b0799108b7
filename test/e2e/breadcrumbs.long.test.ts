import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Breadcrumb } from "../../src/contract/breadcrumb.ts";
import { Repo } from "../support/repo.ts";

test("W5 files that are no breadcrumbs are named, links are not followed, and the rest is listed", async () => {
  using repo = new Repo();
  const { session_id: id } = await repo.json<{ session_id: string }>("session", "start", "Mend the roof");
  await repo.clew("session", "breadcrumb", "add", "--cookie", id, "--kind", "note", "--text", "good");
  const folder = join(repo.root, ".clew/sessions", id, "breadcrumbs");
  const name = (second: number): string => `2026-11-01T10000${second}.000Z.json`;
  const whole = { version: 1, timestamp: "2026-11-01T10:00:00.000Z", depth: 0, kind: "note", response: "elsewhere" };
  writeFileSync(join(repo.root, "elsewhere.json"), JSON.stringify(whole));
  writeFileSync(join(folder, "0", name(1)), "{ half");
  writeFileSync(join(folder, "0", name(2)), JSON.stringify({ ...whole, version: 9 }));
  writeFileSync(join(folder, "0", name(3)), JSON.stringify({ ...whole, depth: 3 }));
  symlinkSync(join(repo.root, "elsewhere.json"), join(folder, "0", name(4)));
  mkdirSync(join(folder, "0", name(5)));
  writeFileSync(join(folder, "0", "notes.txt"), "mine");
  symlinkSync(repo.root, join(folder, "1"));
  const { breadcrumbs, unreadable } = await repo.json<{
    breadcrumbs: Breadcrumb[];
    unreadable: { path: string; reason: string }[];
  }>("session", "breadcrumbs", id);
  expect(breadcrumbs.map(({ response }) => response)).toEqual(["good"]);
  expect(unreadable.map(({ path }) => path.slice(folder.length + 1)).toSorted()).toEqual(
    ["1", ...[1, 2, 3, 4, 5].map((second) => `0/${name(second)}`)].toSorted(),
  );
  expect(await repo.clew("session", "show", id)).toContain("good");
});

test("W5 nothing is written through a link", async () => {
  using repo = new Repo();
  const { session_id: id } = await repo.json<{ session_id: string }>("session", "start", "Mend the roof");
  mkdirSync(join(repo.root, "other"));
  symlinkSync(join(repo.root, "other"), join(repo.root, ".clew/sessions", id, "breadcrumbs"));
  const words = ["session", "breadcrumb", "add", "--cookie", id, "--kind", "note", "--text", "x"];
  expect(await repo.refused(words)).toMatchObject({ code: "leads_outside" });
  expect(readdirSync(join(repo.root, "other"))).toEqual([]);
});
