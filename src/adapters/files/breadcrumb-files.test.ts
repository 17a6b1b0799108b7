import { expect, test } from "vitest";
import { breadcrumbFiles } from "./breadcrumb-files.ts";
import { nodeDisk } from "./node-disk.ts";
import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { Folder } from "../../../test/support/folders.ts";
import { addBreadcrumb } from "../../app/session/breadcrumbs.ts";

const round: Breadcrumb = { version: 1, timestamp: "2026-11-17T10:00:00.000Z", depth: 0, kind: "round" };

test("W5 whatever an agent did, its round has a breadcrumb: secrets are replaced, then what is too long is cut", async () => {
  using folder = new Folder();
  const layout = { root: folder.path, sessions: folder.path, home: folder.path };
  const breadcrumbs = breadcrumbFiles(nodeDisk, layout);
  const { redact } = createRedactor({});
  const parts = { breadcrumbs, redact: async () => redact };
  const secret = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
  // The cut goes through the secret: what is left of it must not stand there.
  const response = `${"x".repeat(19_985)} ${secret} ${"y".repeat(50_000)}`;
  const tools_called = Array.from({ length: 800 }, () => ({ name: "Ba\nsh", about: "z".repeat(9000), failed: false }));
  const paths = [
    await addBreadcrumb(parts, "a", { ...round, response, tools_called, depth: 1000 }),
    await addBreadcrumb(parts, "a", { ...round, response: "second" }),
    await addBreadcrumb(parts, "a", { ...round, response: "third" }),
  ];
  expect(paths.map((path) => path.slice(folder.path.length))).toEqual([
    "/a/breadcrumbs/99/2026-11-17T100000.000Z.json",
    "/a/breadcrumbs/0/2026-11-17T100000.000Z.json",
    "/a/breadcrumbs/0/2026-11-17T100000.000Z-2.json",
  ]);
  const { breadcrumbs: found, unreadable } = await breadcrumbs.list("a");
  expect(unreadable).toEqual([]);
  expect(found.map((each) => each.response?.slice(0, 6))).toEqual(["second", "third", "xxxxxx"]);
  expect(found[2]!.response).toHaveLength(20_000);
  expect(JSON.stringify(found)).not.toContain("ghp_16");
  expect(found[2]!.tools_called).toHaveLength(500);
});

test("W5 a round that stands there twice, mended and as it came back from git's stash, is listed once", async () => {
  using folder = new Folder();
  const breadcrumbs = breadcrumbFiles(nodeDisk, { root: folder.path, sessions: folder.path, home: folder.path });
  const { redact } = createRedactor({});
  const parts = { breadcrumbs, redact: async () => redact };
  const place = { file: "claude-2026-11-17T100000.000Z-work.jsonl", from: 2, to: 5 };
  const live = { ...round, timestamp: "2026-11-17T10:00:07.000Z", prompt: "Look", transcript: place };
  const next = { ...round, timestamp: "2026-11-17T10:00:09.000Z", transcript: { ...place, from: 6, to: 9 } };
  const below = { ...live, depth: 1 };
  for (const each of [{ ...round, transcript: place }, live, next, below]) await addBreadcrumb(parts, "a", each);
  expect((await breadcrumbs.list("a")).breadcrumbs).toEqual([live, below, next]);
  expect((await breadcrumbs.list("a", { limit: 3 })).breadcrumbs).toEqual([live, below, next]);
  expect((await breadcrumbs.list("a", { limit: 1 })).breadcrumbs).toEqual([next]);
});
