import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

/** What 100 tokens in and 10 out cost. */
const one = 0.00045;

const text = (lines: string[]): string => lines.map((line) => `${line}\n`).join("");
const forget = (repo: ImportRepo): void => rmSync(join(repo.root, ".git/clew/state"), { recursive: true });
const writtenAt = (file: string, day: number): void =>
  utimesSync(file, new Date(2026, 10, day), new Date(2026, 10, day));

async function counted(repo: ImportRepo, id: string): Promise<unknown> {
  const { tokens_used, cost_usd } = (await repo.show(id)).frontmatter;
  return { tokens: tokens_used, cost: cost_usd };
}

test("W12 a message that was copied counts once, also when it is not remembered who counted it", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const begun = [lines.user("Begin"), lines.agent("m-1", { type: "text", text: "One" })];
  const first = repo.leave(repo.claudePath("s-1.jsonl"), begun);
  await repo.import();
  forget(repo);
  // A fork copies the messages; then the first goes on, so that it is the younger file.
  const fork = new ClaudeLines(repo.root, "s-2");
  const forked = [fork.user("Fork"), ...begun.slice(1), fork.agent("m-2", { type: "text", text: "Two" })];
  writtenAt(repo.leave(repo.claudePath("s-2.jsonl"), forked), 1);
  repo.append(first, text([lines.agent("m-3", { type: "text", text: "Three" })]));
  writtenAt(first, 2);
  expect(await repo.import()).toMatchObject({ imported: 1, continued: 1 });
  expect(await counted(repo, "2026-11-15-begin")).toEqual({ tokens: 220, cost: 2 * one });
  expect(await counted(repo, "2026-11-15-fork")).toEqual({ tokens: 110, cost: one });
});

test("W12 what sessions have cost stays, whichever transcript is read first when nothing is remembered", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const fork = new ClaudeLines(repo.root, "s-2");
  const begun = [lines.user("Begin"), lines.agent("m-1", { type: "text", text: "One" })];
  const forked = [fork.user("Fork"), ...begun.slice(1), fork.agent("m-2", { type: "text", text: "Two" })];
  const [first, second] = [
    repo.leave(repo.claudePath("s-1.jsonl"), begun),
    repo.leave(repo.claudePath("s-2.jsonl"), forked),
  ];
  writtenAt(first, 1);
  writtenAt(second, 2);
  await repo.import();
  const ids = ["2026-11-15-begin", "2026-11-15-fork"];
  const all = (): Promise<unknown[]> => Promise.all(ids.map((id) => counted(repo, id)));
  expect(await all()).toEqual([
    { tokens: 110, cost: one },
    { tokens: 110, cost: one },
  ]);
  forget(repo);
  repo.append(second, text([fork.agent("m-4", { type: "text", text: "Four" })]));
  repo.append(first, text([lines.agent("m-3", { type: "text", text: "Three" })]));
  writtenAt(second, 3);
  writtenAt(first, 4);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 2 });
  expect(await all()).toEqual([
    { tokens: 220, cost: 2 * one },
    { tokens: 220, cost: 2 * one },
  ]);
  // A copy with nothing of its own costs nothing, and goes on with what is its own.
  const copy = new ClaudeLines(repo.root, "s-3");
  const third = repo.leave(repo.claudePath("s-3.jsonl"), [copy.user("Copy"), ...begun.slice(1)]);
  await repo.import();
  expect(await counted(repo, "2026-11-15-copy")).toEqual({ tokens: undefined, cost: undefined });
  forget(repo);
  repo.append(third, text([copy.agent("m-5", { type: "text", text: "Five" })]));
  writtenAt(third, 1);
  await repo.import();
  expect(await counted(repo, "2026-11-15-copy")).toEqual({ tokens: 110, cost: one });
});
