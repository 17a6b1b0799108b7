import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, LearnRepo } from "../support/learn-repo.ts";
import { MergeRepo } from "../support/merge-repo.ts";

test("S12 S16 a long script is folded to its first line on pages for people, and is whole where it is opened", async () => {
  using repo = new LearnRepo();
  const script = Array.from({ length: 130 }, (_, at) => `echo line ${at}`).join("\n");
  const id = await repo.session("Run it", call(script, "it broke", true), call("a", "b"), call(script, "fine"));
  await repo.clew("session", "export", id, "-o", "page.html");
  const html = readFileSync(join(repo.root, "page.html"), "utf8");
  expect(html).toContain("<details><summary><code>echo line 0</code> … 129 more lines</summary><pre>echo line 0\n");
  expect(html).toContain("echo line 129</pre></details>");
  const cases = await repo.clew("session", "learn", id, "--export", "markdown");
  expect(cases).toContain("… 129 more lines");
  expect(cases).not.toContain("echo line 64");
  expect(readFileSync(repo.path(id), "utf8")).toContain("echo line 64");
});

test("S12 the page of a run's session has the merge commit at its head", async () => {
  using repo = new MergeRepo("echo new > new.txt");
  await repo.clewRun("start");
  await repo.clewRun("approve");
  await repo.clew("session", "export", "latest", "-o", "page.html");
  const html = readFileSync(join(repo.root, "page.html"), "utf8");
  expect(html).toContain(`<dt>merge commit</dt><dd>${repo.git("rev-parse", "HEAD").trim().slice(0, 12)}`);
});
