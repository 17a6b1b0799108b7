import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionAgent } from "../../src/contract/api/session-agent.ts";
import { node } from "../support/node.ts";
import { startClew, until, type Started } from "../support/runs.ts";
import { Served } from "../support/served.ts";
import { WorkRepo } from "../support/work-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

const publish = { ask: { tool: "Bash", input: { command: "npm publish" } }, run: "echo published >> notes" };
const finished = { result: { success: true, summary: "Done." } };
const heard = { when: "Leave the names", run: "echo heard >> notes", ...finished };

class TalkRepo extends WorkRepo {
  static override async with(...turns: object[]): Promise<TalkRepo> {
    const repo = new TalkRepo();
    await repo.clew("init");
    repo.configure("engine: scripted\n");
    repo.plays(...turns);
    return repo;
  }

  get notes(): string {
    return existsSync(join(this.root, "notes")) ? readFileSync(join(this.root, "notes"), "utf8") : "";
  }

  async agents(): Promise<SessionAgent[]> {
    return (await this.json<{ agents: SessionAgent[] }>("session", "agents")).agents;
  }

  /** Starts a command, and waits until its agent asks for a permission. */
  async asking(...args: string[]): Promise<{ started: Started; agent: SessionAgent }> {
    const started = startClew(this, args);
    let agent: SessionAgent | undefined;
    await until(async () => {
      if (started.child.exitCode !== null) throw new Error(`it ended: ${started.printed()}`);
      [agent] = await this.agents();
      return agent?.permissions.length === 1;
    });
    return { started, agent: agent! };
  }
}

describe("H9 the agent of a talk or a work session is steered from another process", () => {
  test.each(["talk", "work session"])(
    "H9 that of a %s is listed, takes a message, and the record has it",
    async (what) => {
      using repo = await TalkRepo.with({ say: "I begin with the parser." }, publish, heard, finished);
      const args = what === "talk" ? ["ai", "scripted", "Go", "--one-shot"] : ["work", "task", await repo.bead("Go")];
      const { started, agent } = await repo.asking(...args);
      expect(agent).toMatchObject({
        engine: "scripted",
        takes_messages: true,
        engine_session: expect.any(String) as string,
      });
      expect(agent.activities).toContainEqual({ kind: "text", text: "I begin with the parser." });
      expect(agent.current).toEqual({ kind: "tool", text: "Bash waits for permission" });
      expect(await repo.clew("session", "agents")).toContain(`asks you: clew inbox answer ${agent.permissions[0]}`);

      const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
      const receipt = await repo.json("session", "send", agent.session, `Leave the names as they are, ${secret}`);
      expect(receipt).toEqual({ session_id: agent.session, agent: agent.id });
      await repo.clew("inbox", "answer", agent.permissions[0]!, "deny");
      expect((await started.outcome).code).toBe(0);
      expect(repo.notes).toBe("heard\n");
      const text = await repo.clew("session", "show", agent.session);
      expect(text).toContain("Leave the names as they are");
      expect(text).not.toContain(secret);
      expect(await repo.agents()).toEqual([]);
      const late = await repo.run(["session", "send", agent.session, "too late", "--json"]);
      expect([late.code, JSON.parse(late.stdout)]).toMatchObject([
        2,
        { error: { code: "not_possible_now", message: `no agent works in the session ${agent.session}` } },
      ]);
    },
  );

  test.each([[[]], [["--kill"]]])("H9 a stopped agent's work is paused, and goes on (%j)", async (options) => {
    using repo = await TalkRepo.with(publish, finished);
    const bead = await repo.bead("Mend the login");
    const { started, agent } = await repo.asking("work", "task", bead);
    expect(await repo.clew("session", "stop-agent", agent.session, ...options)).toBe(`${agent.session}: told to stop`);
    expect((await started.outcome).code).toBe(130);
    expect(await repo.status(bead)).toBe("open");
    expect(repo.notes).toBe("");
    expect((await repo.sessions())[0]).toMatchObject({ status: "paused" });
    repo.plays(finished);
    expect((await repo.work("task", bead)).end).toMatchObject({ session_id: agent.session, status: "completed" });
  });

  test("H9 D4 over the API: listed by anybody, steered only by a person", async () => {
    const repo = await TalkRepo.with(publish, heard, finished);
    const { started, agent } = await repo.asking("ai", "scripted", "Go", "--one-shot");
    await using api = await Served.start(repo);
    expect((await api.get("/sessions/agents")).body).toMatchObject({ agents: [{ id: agent.id }] });
    const place = `/sessions/${agent.session}/agent`;
    expect((await api.post(`${place}/send`, { text: "hello" })).status).toBe(401);
    expect((await api.post(`${place}/stop`, {})).status).toBe(401);
    const { token } = api;
    expect((await api.post(`${place}/send`, { text: " " }, { token })).body).toMatchObject({
      error: { code: "usage" },
    });
    expect(await api.post(`${place}/stop`, {}, { token })).toMatchObject({ status: 200, body: { agent: agent.id } });
    await started.outcome;
    const late = await api.post(`${place}/send`, { text: "hello" }, { token });
    expect([late.status, late.body]).toMatchObject([409, { error: { code: "not_possible_now" } }]);
  });

  test("H9 D4 no agent steers itself, and none is left of a process that was killed", async () => {
    const own = `'${node}' '${program}' session send "$CLEW_SESSION" "Leave the names" >> notes 2>&1; true`;
    using repo = await TalkRepo.with({ run: own }, publish, heard, finished);
    const { started, agent } = await repo.asking("ai", "scripted", "Go", "--one-shot");
    expect(repo.notes).toContain("what its own agent is told is a person's to say");
    started.child.kill("SIGKILL");
    await started.outcome;
    expect(await repo.agents()).toEqual([]);
    const { stderr } = await repo.run(["session", "stop-agent", agent.session]);
    expect(stderr).toContain(`no agent works in the session ${agent.session}`);
  });
});
