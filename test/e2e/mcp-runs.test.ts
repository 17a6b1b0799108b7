import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, ConnectedRepo, planned, type Standing } from "../support/connected-repo.ts";
import { McpClient, waysIn } from "../support/mcp-client.ts";

const resumeHint = expect.stringContaining("workflow_resume with") as string;
test.each(waysIn)(
  "H7 an agent works on the steps of a workflow, and Clew on the rest (%s, %s)",
  async (era, transport) => {
    using repo = new ConnectedRepo();
    await using mcp = await McpClient.connect(repo, era, transport);
    const first = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
    expect(first).toMatchObject({ status: "running", step: "plan#1", prompt: "Plan the work on Fix the login.\n" });
    expect(first.folder).toBe(join(repo.root, ".worktrees/proj-1"));
    await mcp.ask("workflow_checkpoint", { token: first.token, text: "I looked around.", files: ["README.md"] });
    const second = await mcp.ask<Standing>("workflow_continue", { token: first.token, result: planned });
    expect(second).toMatchObject({ run: first.run, step: "build#1", prompt: "Build what was planned: Two files.\n" });
    expect(readFileSync(join(second.folder, "planned.txt"), "utf8")).toBe("planned 2");
    writeFileSync(join(second.folder, "built.txt"), " and built\n");
    const end = await mcp.ask<Standing>("workflow_continue", { token: second.token, result: built });
    expect(end).toMatchObject({ status: "completed", next: expect.stringContaining("completed") as string });
    expect(end.token).toBeUndefined();
    const { run } = await repo.json<{ run: { steps: object[] } }>("run", "show", first.run);
    expect(run.steps).toMatchObject([
      { path: "plan", status: "succeeded", summary: "Two files." },
      { path: "check", status: "succeeded" },
      { path: "build", status: "succeeded", summary: "It is built." },
      { path: "test", status: "succeeded", output: "planned 2 and built" },
    ]);
    const { breadcrumbs } = await repo.show(first.session);
    expect(breadcrumbs).toMatchObject([{ kind: "note", files_modified: ["README.md"], task: "proj-1" }]);
  },
);

test("H7 a token that comes again is answered with what was recorded, and changes nothing", async () => {
  using repo = new ConnectedRepo();
  await using mcp = await McpClient.connect(repo);
  const first = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  const second = await mcp.ask<Standing>("workflow_continue", { token: first.token, result: planned });
  const other = { success: false, summary: "Something else." };
  const again = await mcp.ask<Standing>("workflow_continue", { token: first.token, result: other });
  expect(again).toMatchObject({ replayed: planned, step: "build#1", token: second.token });
  const lines = repo.journal(first.run).filter(({ type }) => type === "workflow.step.completed");
  expect(lines).toHaveLength(2);
});

test("H8 a result that is not as it has to be comes back with a blocker, its fix and a token to try again", async () => {
  using repo = new ConnectedRepo();
  await using mcp = await McpClient.connect(repo);
  const { token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  const { isError, data } = await mcp.call("workflow_continue", { token, result: { success: true } });
  expect(isError).toBe(true);
  expect(data).toMatchObject({
    error: { code: "invalid_input", message: "the result has no summary" },
    blockers: [{ kind: "invalid_result", message: "the result has no summary" }],
    retry_token: token,
  });
  const next = await mcp.ask<Standing>("workflow_continue", { token: data["retry_token"], result: planned });
  expect(next.step).toBe("build#1");
});

test("H7 forged tokens and those of other repositories are refused with the way on, and no step is touched", async () => {
  using repo = new ConnectedRepo();
  using other = new ConnectedRepo();
  other.env["XDG_STATE_HOME"] = repo.env["XDG_STATE_HOME"]!;
  await using mcp = await McpClient.connect(repo);
  await using elsewhere = await McpClient.connect(other);
  const { run, token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  const { run: otherRun, token: otherToken } = await elsewhere.ask<Standing>("workflow_start", { bead: "proj-1" });
  expect(otherRun).toBe(run);
  const [data, mac] = token.slice("clew_next_".length).split(".") as [string, string];
  const [session, , path] = JSON.parse(Buffer.from(data, "base64url").toString()) as [string, string, string];
  const changed = Buffer.from(JSON.stringify([session, run, path, 2])).toString("base64url");
  for (const forged of ["", "x", otherToken, `clew_next_${changed}.${mac}`, `clew_next_${data}.${mac.slice(1)}A`]) {
    const refusal = await mcp.call("workflow_continue", { token: forged, result: planned });
    expect(refusal).toMatchObject({
      isError: true,
      data: { error: { code: "no_permission" }, blockers: [{ kind: "forged_token", fix: resumeHint }] },
    });
  }
  expect(repo.journal(run).filter(({ type }) => type === "workflow.step.completed")).toEqual([]);
});

test("H7 a workflow goes on in another process, with the token of before, after its server was killed", async () => {
  using repo = new ConnectedRepo();
  const killed = await McpClient.connect(repo);
  const first = await killed.ask<Standing>("workflow_start", { bead: "proj-1" });
  killed.kill();
  await using mcp = await McpClient.connect(repo, "legacy");
  const resumed = await mcp.ask<Standing>("workflow_resume", { run: first.run });
  expect(resumed).toMatchObject({ step: "plan#1", prompt: first.prompt, token: first.token });
  const second = await mcp.ask<Standing>("workflow_continue", { token: first.token, result: planned });
  expect(second.step).toBe("build#1");
  // A third one hands in what the second waits for, which drives the run.
  writeFileSync(join(second.folder, "built.txt"), "");
  await using third = await McpClient.connect(repo);
  expect(await third.ask("workflow_continue", { token: second.token, result: built })).toMatchObject({
    status: "completed",
  });
  expect(readdirSync(join(repo.home, "handed-in"))).toEqual([]);
});

test("H8 a step that failed blocks the run until a person retries it; the token of the next attempt goes on", async () => {
  using repo = new ConnectedRepo();
  await using mcp = await McpClient.connect(repo);
  const { run, token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  const failed = { success: false, summary: "I could not." };
  const blocked = await mcp.ask<Standing>("workflow_continue", { token, result: failed });
  expect(blocked).toMatchObject({ status: "blocked", blockers: [{ kind: "step_failed" }] });
  expect(blocked.blockers![0]!.fix).toContain(`clew run retry ${run}`);
  // Only a person lets it be tried again.
  const retry = repo.start(["run", "retry", run]);
  const ended = new Promise((done) => retry.once("exit", done));
  let next: Standing;
  do next = await mcp.ask<Standing>("workflow_resume", { run });
  while (next.step !== "plan#2");
  expect(await mcp.ask("workflow_continue", { token, result: planned })).toMatchObject({ replayed: failed });
  const second = await mcp.ask<Standing>("workflow_continue", { token: next.token, result: planned });
  expect(second.step).toBe("build#1");
  writeFileSync(join(second.folder, "built.txt"), "");
  await mcp.ask("workflow_continue", { token: second.token, result: built });
  expect(await ended).toBe(0);
});

test("H7 the token of a step that is not at hand any more is stale", async () => {
  using repo = new ConnectedRepo();
  const killed = await McpClient.connect(repo);
  const { run, token } = await killed.ask<Standing>("workflow_start", { bead: "proj-1" });
  killed.kill();
  await repo.run(["run", "cancel", run]);
  await using mcp = await McpClient.connect(repo);
  expect(await mcp.call("workflow_continue", { token, result: planned })).toMatchObject({
    isError: true,
    data: {
      error: { code: "not_possible_now" },
      blockers: [{ kind: "stale_token", fix: expect.stringContaining("run_show") as string }],
    },
  });
});

test("D7 a continue token stands nowhere on disk, and the key by which it is signed is the user's alone", async () => {
  using repo = new ConnectedRepo();
  await using mcp = await McpClient.connect(repo);
  const { token, session } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  await mcp.ask("workflow_checkpoint", { token, text: `My token is ${token}.` });
  await mcp.ask("workflow_continue", { token, result: { ...planned, summary: `Done with ${token}.` } });
  expect(Object.values(repo.record()).join("\n")).toContain("[redacted:clew-token]");
  const files = readdirSync(repo.root, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  expect(files.filter((file) => readFileSync(file, "latin1").includes(token.slice(-43)))).toEqual([]);
  const keys = join(repo.env["XDG_STATE_HOME"]!, "clew/continue-keys");
  expect([statSync(keys).mode & 0o777, statSync(join(keys, "1.key")).mode & 0o777]).toEqual([0o700, 0o600]);
  expect((await repo.show(session)).breadcrumbs).toHaveLength(1);
});

test("H7 a run of another engine is not an agent's to continue", async () => {
  using repo = new ConnectedRepo();
  const env = repo.plays({ fail: "no" });
  const { code } = await repo.run(["run", "proj-1"], { env });
  expect(code).toBe(3);
  await using mcp = await McpClient.connect(repo);
  expect(await mcp.refused("workflow_resume", { run: "proj-1" })).toMatchObject({ code: "not_possible_now" });
  expect(existsSync(join(repo.home, "handed-in"))).toBe(false);
});
