import { describe, expect, test } from "vitest";
import type { RunAgent } from "../../src/contract/api/run-agent.ts";
import { AskingRepo, ask, done } from "../support/permissions.ts";
import { RunRepo } from "../support/run-repo.ts";
import { showRun, startClew, until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

/** An agent that says something, and then waits for a permission: it works until a person does something. */
const asking = [{ say: "I begin with the parser." }, { ask: ask("npm publish") }];
const told = { when: "Leave the names", run: "echo heard >> ../../notes", ...done };

describe("H9 the agent of a run is steered from another process", () => {
  test("H9 it is listed with what it is at, takes a message, and the record has who sent it", async () => {
    using repo = new AskingRepo([...asking, done, told]);
    const { started, items } = await repo.startAsking();
    const runId = await repo.runId();
    const { agents } = await repo.json<{ agents: RunAgent[] }>("run", "agents", "latest");
    expect(agents).toEqual([
      expect.objectContaining({
        id: `${runId}:build#1`,
        run: runId,
        path: "build",
        attempt: 1,
        engine: "scripted",
        takes_messages: true,
      }),
    ]);
    expect(agents[0]!.activities).toContainEqual({ kind: "text", text: "I begin with the parser." });
    expect(agents[0]!.current).toEqual({ kind: "tool", text: "Bash waits for permission" });
    expect(agents[0]!.permissions).toEqual([items[0]!.id]);
    expect(await repo.clew("run", "agents")).toContain(`asks you: clew inbox answer ${items[0]!.id}`);

    const receipt = await repo.json("run", "send", "latest", "Leave the names as they are");
    expect(receipt).toEqual({ run_id: runId, agent: `${runId}:build#1`, delivered: true });
    await repo.clew("inbox", "answer", items[0]!.id, "deny");
    expect((await started.outcome).code).toBe(0);
    expect(repo.notes).toBe("heard\n");
    const [signal] = await repo.lines("run.signal");
    expect(signal).toMatchObject({
      signal: { kind: "message", text: "Leave the names as they are" },
      to: { path: "build", attempt: 1 },
      taken: true,
      by: { command: "clew run send", user: expect.any(String) as string },
    });
    expect(await repo.clew("run", "log", "latest")).toContain("☞ message: Leave the names as they are");
    const { phases } = await repo.show(items[0]!.session_id!);
    expect(phases[0]!.entries).toContainEqual(
      expect.objectContaining({ kind: "user", text: "Leave the names as they are", action: "message to the agent" }),
    );
    expect(await repo.json("run", "agents")).toEqual({ agents: [] });
    const late = await repo.run(["run", "send", "latest", "too late", "--json"]);
    expect(JSON.parse(late.stdout)).toMatchObject({
      error: { code: "not_possible_now", message: `no agent works in run ${runId}: it is completed` },
    });
  });

  test("H9 H8 a stopped agent's step fails and says who stopped it", async () => {
    using repo = new AskingRepo([...asking, done]);
    const { started, items } = await repo.startAsking();
    const runId = await repo.runId();
    expect(await repo.clew("run", "stop-agent", "latest")).toBe(`${runId}:build#1: told to stop`);
    expect((await started.outcome).code).toBe(3);
    const { status, blocked_reason, message, signals } = await showRun(repo);
    expect([status, blocked_reason]).toEqual(["blocked", "step_failed"]);
    expect(message).toMatch(/interrupted by a person: \S+ stopped its agent/);
    expect(signals).toEqual([expect.objectContaining({ kind: "stop_agent", kill: false, taken: true })]);
    const [completed] = await repo.lines("workflow.step.completed");
    expect(completed).toMatchObject({
      status: "failed",
      error: expect.stringContaining("stopped its agent") as string,
    });
    const text = await repo.clew("session", "show", items[0]!.session_id!);
    expect(text).toContain("stop the agent");
    expect(text).toContain("interrupted by a person");
    expect(await repo.permissions()).toEqual([]);
  });

  test("H9 over the API: listed by anybody, steered only by a person; what comes too late is refused", async () => {
    const repo = new AskingRepo([...asking, done]);
    const started = startClew(repo, ["run", "proj-1"]);
    await until(async () => (await repo.permissions()).length === 1);
    await using api = await Served.start(repo);
    const { body } = await api.get("/agents");
    expect(body).toMatchObject({ agents: [{ engine: "scripted", path: "build" }] });
    const { run } = (body as { agents: RunAgent[] }).agents[0]!;
    expect((await api.post(`/workflows/${run}/agent/send`, { text: "hello" })).status).toBe(401);
    const { token } = api;
    const empty = await api.post(`/workflows/${run}/agent/send`, { text: " " }, { token });
    expect(empty.body).toMatchObject({ error: { code: "usage" } });
    const killed = await api.post(`/workflows/${run}/agent/stop`, { kill: true }, { token });
    expect(killed).toMatchObject({ status: 200, body: { run_id: run, delivered: true } });
    expect((await started.outcome).code).toBe(3);
    const late = await api.post(`/workflows/${run}/agent/send`, { text: "hello" }, { token });
    expect([late.status, late.body]).toMatchObject([409, { error: { code: "not_possible_now" } }]);
    expect((await showRun(repo)).message).toContain("killed its agent");
  });

  test("H9 an engine that takes no messages refuses one with a sentence", async () => {
    using repo = new RunRepo('- {name: build, type: agent, engine: mcp, spell: "Build it.\\n"}\n');
    const started = startClew(repo, ["run", "proj-1"]);
    await until(async () => (await repo.json<{ agents: RunAgent[] }>("run", "agents")).agents.length === 1);
    const refused = await repo.run(["run", "send", "latest", "hello"]);
    expect(refused.stderr).toContain("agents of mcp take no message while they work");
    expect(await repo.json("run", "stop-agent", "latest")).toMatchObject({ delivered: true });
    expect((await started.outcome).code).toBe(3);
  });
});
