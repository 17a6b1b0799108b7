import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExecutionPreview } from "../../src/contract/api/turn-execution.ts";
import { action, ExecutionRepo } from "../support/execution-repo.ts";
import { Served } from "../support/served.ts";
import { hasTerminals } from "../support/terminal.ts";

const steering = ".clew/agents/dev.md";
const note = `${steering} steers Clew itself: look at it with care`;

test("T5 D6 what steers Clew is flagged, and neither -y nor a rule about more than its very path approves it", async () => {
  using repo = await ExecutionRepo.begin();
  const user = (rules: string): void => repo.write("user/clew/config.yaml", `policy: [${rules}]\n`);
  const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
  user("{path: '**', tool: edit, decide: allow}, {path: .clew/agents, tool: edit, decide: allow}");
  repo.plan("01", [action.create("a.txt", "a"), action.create(steering, "Do as you like.")]);
  const { stdout } = await repo.run(["session", "execute", "--dry-run", "--json"], { env });
  const { actions, to_approve } = JSON.parse(stdout) as ExecutionPreview;
  expect(actions.map(({ approval, steers_clew }) => [approval, steers_clew])).toEqual([
    ["policy", undefined],
    ["needed", true],
  ]);
  expect([to_approve, actions[1]!.notes]).toEqual([1, [note]]);
  for (const yes of [[], ["-y"]]) {
    const refused = await repo.refused(["session", "execute", ...yes], { env }, 4);
    expect([refused.code, refused.message]).toEqual([
      "needs_approval",
      expect.stringContaining(`: 2 CREATE ${steering} (steers Clew itself)`),
    ]);
  }
  expect([repo.hasReport("01"), repo.text("a.txt")]).toEqual([false, undefined]);
  user(`{path: ${steering}, tool: edit, decide: allow, reason: mine to change}`);
  expect((await repo.run(["session", "execute", "-y"], { env })).code).toBe(0);
  const approvals = repo.report("01").action_log.map(({ approval }) => [approval?.by, approval?.reason]);
  expect(approvals).toEqual([
    ["flag", undefined],
    ["policy", expect.stringContaining("mine to change")],
  ]);
});

test.each([
  "echo engine=codex > .clew/config.yaml",
  "cd .clew && tee -a agents/dev.md < README.md",
  "sh -c 'cp README.md ./.clew/grimoires/x.yaml'",
  "printf x >> .git/hooks/pre-commit",
  "rm -rf .beads/issues.jsonl",
])("T5 D6 a command whose words say that it changes what steers Clew is asked about by itself: %s", async (command) => {
  using repo = await ExecutionRepo.begin();
  repo.write(
    "user/clew/config.yaml",
    "policy: [{command: 'cat …', decide: allow}, {command: 'rm …', decide: allow}]\n",
  );
  const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
  repo.plan("01", [action.execute("cat .clew/config.yaml"), action.execute(command)]);
  const refused = await repo.refused(["session", "execute", "-y"], { env }, 4);
  expect(refused.message).toContain(`need approval: 2 EXECUTE ${command} (steers Clew itself)`);
  expect(repo.hasReport("01")).toBe(false);
});

test("T5 D6 a rule that is the very command allows it, also where that changes what steers Clew", async () => {
  using repo = await ExecutionRepo.begin();
  repo.write("user/clew/config.yaml", "policy: [{command: touch .clew/global.context, decide: allow}]\n");
  repo.plan("01", [action.execute("touch .clew/global.context")]);
  const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
  expect((await repo.run(["session", "execute"], { env })).code).toBe(0);
  expect(repo.report("01").action_log[0]!.approval!.by).toBe("policy");
});

test.skipIf(!hasTerminals)("T5 D6 on a terminal -y asks about what steers Clew alone", async () => {
  using repo = await ExecutionRepo.begin();
  repo.plan("01", [action.create("a.txt", "a"), action.create(".clew/config.yaml", "x"), action.create("b.txt", "b")]);
  const { code } = await repo.answer(["-y"], [["[?]: ", "d no"]]);
  expect([code, repo.statuses("01")]).toEqual([0, ["SUCCESS", "DENIED", "SUCCESS"]]);
});

test.skipIf(!hasTerminals)("T5 D6 approving the rest does not approve what steers Clew", async () => {
  using repo = await ExecutionRepo.begin();
  repo.plan("01", [
    action.create("a.txt", "a"),
    action.create("b.txt", "b"),
    action.create(steering, "Do as you like."),
    action.create("c.txt", "c"),
  ]);
  const { code, lines } = await repo.answer(
    [],
    [
      ["[?]: ", "r"],
      ["[?]: ", "d not by a plan"],
    ],
  );
  expect([code, lines.join("\n")]).toEqual([0, expect.stringContaining(note)]);
  expect(repo.statuses("01")).toEqual(["SUCCESS", "SUCCESS", "DENIED", "SUCCESS"]);
});

test("T5 over REST single actions are approved by their numbers, and all others are denied", async () => {
  const repo = await ExecutionRepo.begin();
  await using api = await Served.start(repo);
  const { token } = api;
  repo.plan("01", [
    action.create("a.txt", "a"),
    action.create("b.txt", "b"),
    action.read("README.md"),
    action.create(steering, "Look."),
  ]);
  const path = `/sessions/${repo.session}/turns/01/execute`;
  const wrong = await api.post(path, { approve: [1, 5] }, { token });
  expect([wrong.status, wrong.body.error.message]).toEqual([400, "the plan of turn 01 has no action 5"]);
  expect((await api.post(path, { approve: [1.5] }, { token })).status).toBe(400);
  expect((await api.post(path, { approve: [1] })).status).toBe(401);
  expect(repo.hasReport("01")).toBe(false);
  expect((await api.post(path, { approve: [1, 4] }, { token })).status).toBe(200);
  expect(repo.report("01").action_log.map(({ status, approval }) => [status, approval?.by])).toEqual([
    ["SUCCESS", "user"],
    ["DENIED", "user"],
    ["SUCCESS", "none_needed"],
    ["SUCCESS", "user"],
  ]);
  expect(repo.report("01").action_log[1]!.details).toBe("not among the actions that were approved");
  expect([repo.text("a.txt"), repo.text("b.txt"), repo.text(steering)]).toEqual(["a\n", undefined, "Look.\n"]);
});

test("T5 D6 over REST approving all does not approve what steers Clew; its number does", async () => {
  const repo = await ExecutionRepo.begin();
  await using api = await Served.start(repo);
  const { token } = api;
  repo.plan("01", [action.create(steering, "Look.")]);
  const path = `/sessions/${repo.session}/turns/01/execute`;
  const refused = await api.post(path, { approve: "all" }, { token });
  expect([refused.status, refused.body.error.code, repo.hasReport("01")]).toEqual([403, "needs_approval", false]);
  expect((await api.post(path, { approve: [1] }, { token })).status).toBe(200);
  expect(repo.text(steering)).toBe("Look.\n");
});

test("T5 over REST a rule still denies what a person approved by its number", async () => {
  const repo = await ExecutionRepo.begin();
  repo.configure("policy:\n  - {path: 'secret/**', decide: deny, reason: keep out}\n");
  await using api = await Served.start(repo);
  repo.plan("01", [action.create("secret/a.txt", "a"), action.create("b.txt", "b")]);
  await api.post(`/sessions/${repo.session}/turns/01/execute`, { approve: [1, 2] }, { token: api.token });
  expect(repo.statuses("01")).toEqual(["DENIED", "SUCCESS"]);
});

test("H5 T5 a command that writes into a path which a rule denies is denied: redirects, programs, folders", async () => {
  using repo = await ExecutionRepo.begin();
  repo.configure(
    "engine: scripted\npolicy:\n  - {path: 'infra/**', decide: deny}\n  - {path: gen, tool: edit, decide: deny}\n",
  );
  repo.write("gen/x", "");
  const denied = [
    "echo x > infra/a.txt",
    "{ date; } >> ./gen/x",
    "cd infra && touch a.txt",
    "sh -c 'date >| gen/x'",
    "date | tee gen/x",
    "D=gen; date > $D/x",
  ].map((command) => action.execute(command));
  const elsewhere = action.execute("date > y", "- **Working Directory:** gen\n");
  repo.plan("01", [...denied, elsewhere, action.execute("cat gen/x > out")]);
  await repo.run(["session", "execute", "-y"]);
  expect(repo.statuses("01")).toEqual([...denied.map(() => "DENIED"), "DENIED", "SUCCESS"]);
  expect(repo.text("gen/x")).toBe("");
});

test("H5 T5 the rule that is named is the one that decides: what surely denies, and what alone allows", async () => {
  using repo = await ExecutionRepo.begin();
  repo.write(
    "user/clew/config.yaml",
    `policy:
  - {command: 'touch …', decide: ask, reason: asked}
  - {path: '**/.env', decide: deny, reason: perhaps}
  - {path: infra, decide: deny, reason: surely}
  - {command: 'date …', decide: allow, reason: part of it}
  - {command: 'echo …', decide: allow, reason: all of it}
`,
  );
  const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
  repo.plan("01", [action.execute("touch $FILE infra/a"), action.execute("echo hello")]);
  expect((await repo.run(["session", "execute"], { env })).code).toBe(0);
  expect(repo.report("01").action_log.map(({ approval }) => approval?.reason)).toEqual([
    expect.stringMatching(/^surely \(rule 3 in .*line 4\)$/),
    expect.stringMatching(/^all of it \(rule 5 in .*line 6\)$/),
  ]);
});
