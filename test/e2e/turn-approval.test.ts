import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExecutionPreview } from "../../src/contract/api/turn-execution.ts";
import { action, ExecutionRepo } from "../support/execution-repo.ts";
import { Served } from "../support/served.ts";
import { hasTerminals } from "../support/terminal.ts";

const steering = ".clew/agents/dev.md";
const note = `${steering} steers Clew itself: look at it with care`;

test("T5 D6 what steers Clew is flagged, and no rule approves it; -y does", async () => {
  using repo = await ExecutionRepo.begin();
  repo.write("user/clew/config.yaml", "policy: [{path: '**', tool: edit, decide: allow}]\n");
  const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
  repo.plan("01", [action.create("a.txt", "a"), action.create(steering, "Do as you like.")]);
  const { stdout } = await repo.run(["session", "execute", "--dry-run", "--json"], { env });
  const { actions, to_approve } = JSON.parse(stdout) as ExecutionPreview;
  expect(actions.map(({ approval, steers_clew }) => [approval, steers_clew])).toEqual([
    ["policy", undefined],
    ["needed", true],
  ]);
  expect([to_approve, actions[1]!.notes]).toEqual([1, [note]]);
  const refused = await repo.refused(["session", "execute"], { env }, 4);
  expect([refused.code, refused.message]).toEqual([
    "needs_approval",
    expect.stringContaining(`: 2 CREATE ${steering}`),
  ]);
  expect([repo.hasReport("01"), repo.text("a.txt")]).toEqual([false, undefined]);
  expect((await repo.run(["session", "execute", "-y"], { env })).code).toBe(0);
  expect(repo.report("01").action_log.map(({ approval }) => approval?.by)).toEqual(["policy", "flag"]);
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

test("T5 over REST a rule still denies what a person approved by its number", async () => {
  const repo = await ExecutionRepo.begin();
  repo.configure("policy:\n  - {path: 'secret/**', decide: deny, reason: keep out}\n");
  await using api = await Served.start(repo);
  repo.plan("01", [action.create("secret/a.txt", "a"), action.create("b.txt", "b")]);
  await api.post(`/sessions/${repo.session}/turns/01/execute`, { approve: [1, 2] }, { token: api.token });
  expect(repo.statuses("01")).toEqual(["DENIED", "SUCCESS"]);
});
