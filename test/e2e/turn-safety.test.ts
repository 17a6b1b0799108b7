import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";

const edit = action.edit("README.md", "Try", "Tried");

async function withTurn(...actions: string[]): Promise<ExecutionRepo> {
  const repo = await ExecutionRepo.begin();
  writeFileSync(join(repo.root, "README.md"), "# Try\n");
  repo.plan("01", actions.length === 0 ? [edit] : actions);
  return repo;
}

test("T8 an undo that was cut off before it began takes nothing back", async () => {
  using repo = await withTurn();
  await repo.clew("session", "execute", "-y");
  const journals = join(repo.root, ".git/clew/turns", repo.session);
  writeFileSync(join(journals, "under-way.json"), JSON.stringify({ turn: "01", deed: "undo" }));
  await repo.clew("session", "branch", "01");
  expect(repo.text("README.md")).toBe("# Tried\n");
  await repo.clew("session", "undo", "01");
  expect(repo.text("README.md")).toBe("# Try\n");
});

test("H5 T5 whose rules count is said by who planned, not by the plan", async () => {
  using repo = await withTurn(action.execute("touch done"));
  repo.configure("policy:\n  - {agent: dev, tool: shell, decide: deny, reason: dev runs nothing}\n");
  const plan = join(repo.root, ".clew/sessions", repo.session, "01/plan.md");
  expect(readFileSync(plan, "utf8")).toContain("- **Agent:** dev");
  writeFileSync(plan, readFileSync(plan, "utf8").replace("- **Agent:** dev", "- **Agent:** trusted"));
  await repo.run(["session", "execute", "-y"]);
  expect(repo.statuses("01")).toEqual(["DENIED"]);
  expect(repo.text("done")).toBeUndefined();
});

test("H5 T2 a file that a rule denies is not shown, whichever list names it", async () => {
  using repo = await ExecutionRepo.begin();
  writeFileSync(join(repo.root, ".env"), "word\n");
  writeFileSync(join(repo.root, ".clew/global.context"), ".env\n");
  repo.configure("policy:\n  - {tool: read, path: '**/.env', decide: deny, reason: no secrets}\n");
  const { files } = await repo.json<{ files: { path: string; skipped?: string }[] }>("session", "context");
  expect(files).toMatchObject([{ path: ".env", skipped: expect.stringContaining("no secrets") as string }]);
});

test("T5 a folder that somebody put into a turn's folder keeps no report from being written", async () => {
  using repo = await withTurn();
  mkdirSync(join(repo.root, ".clew/sessions", repo.session, "01/notes"));
  await repo.clew("session", "execute", "-y");
  expect(repo.statuses("01")).toEqual(["SUCCESS"]);
});

test.each([
  ["stash", "git stash --quiet --include-untracked"],
  ["checkout", "git checkout --quiet before"],
])("T5 a session that git put away during the execution (%s) has its report all the same", async (_, command) => {
  using repo = await ExecutionRepo.begin();
  repo.write("README.md", "# Try\n");
  repo.git("add", "README.md");
  repo.git("commit", "--quiet", "-m", "one");
  repo.git("branch", "before");
  repo.plan("01", [action.execute(command)]);
  if (command.includes("checkout")) {
    repo.git("add", "-A");
    repo.git("commit", "--quiet", "-m", "with the session");
  }
  const { code, stderr } = await repo.run(["session", "execute", "-y"]);
  expect([stderr, code, repo.statuses("01")]).toEqual([expect.any(String), 0, ["SUCCESS"]]);
  expect(stderr).toContain("git put the session's folder away while turn 01 was executed");
  expect(repo.lines(repo.session)).toMatchObject([{ type: "executed", status: "SUCCESS" }]);
});

test("T6 D7 of memos, only what is added is redacted: a person's own lines stay", async () => {
  using repo = await ExecutionRepo.begin();
  const own = "- key ghp_0123456789abcdefghijABCDEFGHIJ012345 is revoked # mine\n";
  writeFileSync(join(repo.root, ".clew/memos.yaml"), own);
  repo.plan("01", [action.read("README.md")], ["- [+] Use pnpm"]);
  const XDG_CONFIG_HOME = join(repo.root, ".git/own-settings");
  mkdirSync(join(XDG_CONFIG_HOME, "clew"), { recursive: true });
  writeFileSync(join(XDG_CONFIG_HOME, "clew/config.yaml"), "turn_memos: accept\n");
  await repo.run(["session", "execute", "-y"], { env: { XDG_CONFIG_HOME } });
  expect(repo.text(".clew/memos.yaml")).toBe(`${own}- Use pnpm\n`);
});

test("T7 CLEW_SESSION names the session for all but plan, execute and branch, which take the newest", async () => {
  using repo = await withTurn();
  const newest = await repo.newSession("other");
  const shown = async (env: Record<string, string>): Promise<string> =>
    (JSON.parse((await repo.run(["session", "turns", "--json"], { env })).stdout) as { session_id: string }).session_id;
  expect([await shown({}), await shown({ CLEW_SESSION: repo.session })]).toEqual([newest, repo.session]);
  const { stderr } = await repo.run(["session", "execute", "-y"], { env: { CLEW_SESSION: repo.session } });
  expect(stderr).toContain(newest);
});
