import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolEntry } from "../../src/contract/session.ts";
import { Repo } from "../support/repo.ts";

const long = `${"first ".repeat(30)}\n${"middle\n".repeat(20)}the quexotic end`;

async function started(repo: Repo, ...results: string[]): Promise<string> {
  const id = await repo.clew("session", "start", "Results");
  const entries = results.map((result) => ({ kind: "tool", name: "bash", args: "npm test", result }));
  await repo.log(id, { kind: "phase", title: "Work" }, ...entries);
  return id;
}

async function calls(repo: Repo, id: string): Promise<ToolEntry[]> {
  return (await repo.show(id)).phases[0]!.entries as ToolEntry[];
}

function fileOf(repo: Repo, id: string): string {
  return join(repo.root, ".git/clew/transcripts", id, "results.jsonl");
}

test("S3 a result that is longer than its summary is kept whole, shown by --full and found by its words", async () => {
  using repo = new Repo();
  const id = await started(repo, long, "short");
  const [first, second] = await calls(repo, id);
  expect(first).toMatchObject({ result: expect.stringMatching(/^first .{90,}…$/) as string, result_full: long });
  expect(second).toEqual({ kind: "tool", name: "bash", args: "npm test", result: "short", failed: false });
  expect(repo.read(id)).not.toContain("quexotic");
  expect(await repo.clew("session", "show", id)).not.toContain("quexotic");
  expect(await repo.clew("session", "show", id, "--full")).toContain("the quexotic end");
  const line =
    repo
      .read(id)
      .split("\n")
      .findIndex((each) => each.startsWith("- `bash")) + 1;
  const found = async (): Promise<unknown> => JSON.parse(await repo.clew("search", "quexotic", "--json"));
  const hits = { hits: [expect.objectContaining({ session_id: id, line, kind: "tool" })] };
  expect(await found()).toMatchObject(hits);
  await repo.clew("index", "rebuild");
  expect(await found()).toMatchObject(hits);
});

test("S3 a bullet that was deleted or changed never shows another call's result", async () => {
  using repo = new Repo();
  const other = long.replace("quexotic", "vulpine");
  const id = await started(repo, long, other);
  expect((await calls(repo, id)).map((each) => each.result_full)).toEqual([long, other]);
  const file = repo.path(id);
  const text = readFileSync(file, "utf8");
  const bullet = text.split("\n").find((each) => each.startsWith("- `bash"))!;
  await repo.log(id, { kind: "decision", text: "behind them" });
  writeFileSync(file, readFileSync(file, "utf8").replace(`${bullet}\n`, ""));
  expect((await calls(repo, id)).map((each) => each.result_full)).toEqual([undefined, undefined]);
  expect(JSON.parse(await repo.clew("search", "vulpine", "--json"))).toMatchObject({ hits: [] });
});

test("S3 of a result over 256 KB its head and tail are kept, and a line says how much is missing", async () => {
  using repo = new Repo();
  const id = await started(repo, `begin ${"é".repeat(300_000)} end`);
  const [call] = await calls(repo, id);
  expect(call!.result_full).toMatch(/^begin é+\n\[… \d+ bytes are missing here …\]\né+ end$/);
  expect(Buffer.byteLength(call!.result_full!)).toBeLessThan(256 * 1024);
  const missing = Number(/(\d+) bytes are missing/.exec(call!.result_full!)![1]);
  const kept = call!.result_full!.replace(/\n\[.*\]\n/, "");
  expect(Buffer.byteLength(kept) + missing).toBe(600_010);
});

test("S3 a torn last line is closed by the next, and what was whole stays", async () => {
  using repo = new Repo();
  const id = await started(repo, long);
  appendFileSync(fileOf(repo, id), '{"call":"- `bash` → x","resu');
  await repo.log(id, { kind: "tool", name: "bash", args: "ls", result: long.toUpperCase() });
  expect((await calls(repo, id)).map((each) => each.result_full)).toEqual([long, long.toUpperCase()]);
});

test("S3 D7 results are redacted, go with their session, and come back from show to --batch", async () => {
  using repo = new Repo();
  const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
  const id = await started(repo, `${long} ${secret}`);
  const file = readFileSync(fileOf(repo, id), "utf8");
  expect(file).not.toContain(secret);
  const again = await repo.clew("session", "start", "Again");
  const shown = await calls(repo, id);
  await repo.log(again, { kind: "phase", title: "Work" }, ...shown);
  expect(await calls(repo, again)).toEqual(shown);
  await repo.clew("session", "delete", id, "--yes");
  expect(existsSync(fileOf(repo, id))).toBe(false);
});

test("S3 many calls that are written alike take one result each into the search", async () => {
  using repo = new Repo();
  const results = Array.from({ length: 30 }, (_, at) => `${"banner ".repeat(20)}\n${"x ".repeat(20_000)}needle${at}`);
  const id = await started(repo, ...results);
  for (const at of [0, 17, 29]) {
    const { hits } = await repo.json<{ hits: { session_id: string }[] }>("search", `needle${at}`);
    expect(hits.map(({ session_id }) => session_id)).toEqual([id]);
  }
  const folder = join(repo.home, "search");
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(3 * results.join("").length);
});

test("S3 a result whose entry was never written is taken away by the next entry or save point", async () => {
  using repo = new Repo();
  const id = await started(repo, long);
  const orphan = readFileSync(fileOf(repo, id), "utf8").replace("quexotic", "orphaned");
  for (const act of [
    () => repo.log(id, { kind: "tool", name: "bash", args: "ls", result: "short" }),
    () => repo.clew("session", "pause", id),
  ]) {
    const before = readFileSync(fileOf(repo, id), "utf8");
    // As a writer leaves it that died between a result and its entry.
    appendFileSync(fileOf(repo, id), orphan);
    await act();
    expect(readFileSync(fileOf(repo, id), "utf8")).toBe(before);
    expect((await calls(repo, id))[0]!.result_full).toBe(long);
  }
  await repo.log(id, { kind: "tool", name: "bash", args: "npm test", result: long.toUpperCase() });
  expect((await calls(repo, id)).map((each) => each.result_full)).toEqual([long, undefined, long.toUpperCase()]);
});
