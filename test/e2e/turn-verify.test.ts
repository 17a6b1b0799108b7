import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";

interface Verification {
  intact: boolean;
  sessions: { session_id: string; problem?: string; turns: { turn: string; status: string }[] }[];
}

test("T8 verify names all that is damaged, in all sessions, and exits 1", async () => {
  using repo = await ExecutionRepo.begin();
  const first = repo.session;
  for (const turn of ["01", "02"]) {
    repo.plan(turn, [action.create(`${turn}.txt`, "a")]);
    await repo.clew("session", "execute", "-y");
  }
  repo.session = await repo.newSession("other");
  repo.plan("01", [action.create("b.txt", "b")]);
  const fileOf = (session: string, file: string): string => join(repo.root, ".clew/sessions", session, file);
  writeFileSync(fileOf(first, "01/plan.md"), "other");
  rmSync(fileOf(first, "02/report.md"));
  writeFileSync(fileOf(first, "02/extra.txt"), "x");
  writeFileSync(fileOf(repo.session, "01/plan.md"), "other");
  const lines = readFileSync(fileOf(first, "turns.jsonl"), "utf8");
  writeFileSync(fileOf(first, "turns.jsonl"), `{"half\n${lines}no line\n`);

  const { code, stdout } = await repo.run(["session", "verify"]);
  expect(code).toBe(1);
  const rows = stdout
    .trim()
    .split("\n")
    .map((row) => row.split(/\s{2,}/));
  expect(rows).toEqual([
    ["TURN", "STATUS", "FILE"],
    [`${repo.session}/01`, "✗ changed", "plan.md"],
    [first, "✗ damaged", expect.stringContaining("turns.jsonl:1: this is no line about a turn; line 6 neither")],
    [`${first}/01`, "✗ changed", "plan.md"],
    [`${first}/02`, "✗ unknown", "extra.txt"],
    [`${first}/02`, "✗ missing", "report.md"],
  ]);
  const { code: again, stdout: json } = await repo.run(["session", "verify", "--json"]);
  const { intact, sessions } = JSON.parse(json) as Verification;
  expect([again, intact, sessions.map(({ problem }) => problem !== undefined)]).toEqual([1, false, [false, true]]);

  rmSync(fileOf(first, "turns.jsonl"));
  const { stdout: gone } = await repo.run(["session", "verify", first]);
  expect(gone).toMatch(/01 {2,}✗ unknown +plan\.md\n/);
  expect((await repo.run(["session", "verify"])).stdout).toContain(`${first}/01`);
});
