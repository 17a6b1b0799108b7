import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AskingRepo, ask, done, publish } from "../support/permissions.ts";
import { readStream, showRun, startClew, until } from "../support/runs.ts";
import { writeBead, write } from "../support/grimoires.ts";

const soon = "permission_wait: 300ms\n";

describe("W11 G10 a permission that nobody gives", () => {
  test("G10 the agent is stopped, not denied; the answer resumes it in the engine's own session", async () => {
    using repo = new AskingRepo([publish, done], { settings: soon });
    const { code, stdout } = await repo.run(["run", "proj-1", "--json"]);
    const { run } = readStream(stdout);
    expect([code, run.status, run.blocked_reason]).toEqual([4, "blocked", "permission"]);
    expect(run.message).toContain("whether it may use Bash: npm publish, and had no answer after 300ms");
    expect(run.blocked_context?.permission).toMatchObject({ tool: "Bash", input: { command: "npm publish" } });
    expect(await repo.lines("run.signal")).toEqual([]);
    const [item] = await repo.permissions();
    expect(run.actions).toContain(`clew inbox answer ${item!.id} allow`);
    expect(repo.read(item!.session_id!)).not.toContain("[!answer]");

    const answered = await repo.run(["inbox", "answer", item!.id, "allow"]);
    expect(answered).toMatchObject({ code: 0 });
    expect(repo.notes).toBe("published\n");
    const inits = await repo.lines("agent.init");
    expect(inits[1]!.engine_session).toBe(inits[0]!.engine_session);
    // The same call is not asked for twice.
    expect(await repo.lines("agent.permission")).toHaveLength(1);
    const steps = (await showRun(repo)).steps.filter(({ path }) => path === "build");
    expect(steps.map(({ status }) => status)).toEqual(["stopped", "succeeded"]);
    const note = `goes on in scripted's own session ${inits[0]!.engine_session}`;
    expect(steps[1]!.note).toBe(note);
    expect(await repo.clew("run", "show", "latest")).toContain(note);
    const started = (await repo.lines("workflow.step.started"))[1]!;
    expect(started.input).toMatchObject({ answered: { id: item!.id, option: "allow_once" } });
    expect(repo.read(item!.session_id!)).toContain(`[!answer] ${item!.id}\n> allow`);
  });

  test("G10 refused afterwards: the agent hears of it, and goes on without", async () => {
    using repo = new AskingRepo([{ when: "refused", run: "echo without >> ../../notes", ...done }, publish, done], {
      settings: soon,
    });
    expect((await repo.run(["run", "proj-1"])).code).toBe(4);
    const [item] = await repo.permissions();
    expect((await repo.run(["inbox", "answer", item!.id, "deny"])).code).toBe(0);
    expect(repo.notes).toBe("without\n");
    expect((await repo.refused(["inbox", "answer", item!.id, "allow"])).code).toBe("unknown_inbox_item");
  });

  test.each([
    ["a secret", "MY_TOKEN=abcdefgh-secret-12 npm publish --token abcdefgh-secret-12"],
    ["a long text", `npm publish ${"x ".repeat(10_000)}`],
  ])("G10 D7 a call with %s is answered later as any other, and asked once", async (_, command) => {
    using repo = new AskingRepo([{ ask: ask(command), run: "echo published >> ../../notes" }, done], {
      settings: soon,
    });
    repo.env["MY_TOKEN"] = "abcdefgh-secret-12";
    expect(await repo.run(["run", "proj-1"])).toMatchObject({ code: 4 });
    const [item] = await repo.permissions();
    expect(await repo.run(["inbox", "answer", item!.id, "allow"])).toMatchObject({ code: 0 });
    expect(repo.notes).toBe("published\n");
    const asked = await repo.lines("agent.permission");
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked)).not.toContain("abcdefgh-secret-12");
    const lines = await repo.lines("workflow.step.started");
    const answered = { id: item!.id, fingerprint: asked[0]!.fingerprint };
    expect(lines.at(-1)!.input).toMatchObject({ answered });
    expect(asked[0]!.fingerprint).toMatch(/^(?:[0-9a-f]{8} ){7}[0-9a-f]{8}$/);
  });

  test("G10 D7 an answer counts for no other call that looks the same without its secret", async () => {
    const run = "echo published >> ../../notes";
    const first = { ask: ask("npm publish --token ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"), run };
    const other = { ask: ask("npm publish --token ghp_zB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"), run };
    using repo = new AskingRepo([first, done], { settings: soon });
    expect(await repo.run(["run", "proj-1"])).toMatchObject({ code: 4 });
    const [item] = await repo.permissions();
    expect(item!.text).toContain("[redacted:");
    const env = repo.plays(other, done);
    expect(await repo.run(["inbox", "answer", item!.id, "allow"], { env })).toMatchObject({ code: 4 });
    expect([repo.notes, await repo.lines("agent.permission")]).toMatchObject(["", [{}, {}]]);
  });

  test("G16 kill -9 while it waits voids the request; the step goes on in the engine's session and asks anew", async () => {
    using repo = new AskingRepo([publish, done]);
    const { started, items } = await repo.startAsking();
    const first = items[0]!.id;
    await until(() => repo.read(items[0]!.session_id!).includes(first));
    started.child.kill("SIGKILL");
    await started.outcome;
    expect(await repo.permissions()).toEqual([]);
    expect((await repo.refused(["inbox", "answer", first, "allow"])).code).toBe("unknown_inbox_item");
    expect((await showRun(repo)).permissions).toBeUndefined();
    const again = await repo.startAsking(["run", "resume", "latest"]);
    expect(again.items[0]!.id).not.toBe(first);
    await repo.clew("inbox", "answer", again.items[0]!.id, "allow");
    expect((await again.started.outcome).code).toBe(0);
    expect(repo.notes).toBe("published\n");
    const inits = await repo.lines("agent.init");
    expect(inits.map(({ attempt, engine_session }) => [attempt, engine_session])).toEqual([
      [1, inits[0]!.engine_session],
      [1, inits[0]!.engine_session],
    ]);
    const [note] = await repo.lines("step.note");
    expect(note!.message).toBe(`goes on in scripted's own session ${inits[0]!.engine_session}`);
    expect(repo.read(items[0]!.session_id!)).toMatch(new RegExp(`\\[!answer\\] ${first}\n> void, nobody answered`));
  });

  test("G16 cancel and Ctrl-C while it waits end the agent, and void the request", async () => {
    using repo = new AskingRepo([publish, done]);
    const { started, items } = await repo.startAsking();
    started.child.kill("SIGINT");
    expect((await started.outcome).code).toBe(130);
    expect(await repo.permissions()).toEqual([]);
    expect((await repo.refused(["inbox", "answer", items[0]!.id, "allow"])).code).toBe("unknown_inbox_item");
    const again = await repo.startAsking(["run", "resume", "latest"]);
    await repo.clew("run", "cancel", "latest");
    expect((await again.started.outcome).code).toBe(1);
    expect([repo.notes, await repo.permissions()]).toEqual(["", []]);
    expect((await repo.lines("run.signal")).map(({ signal }) => signal.kind)).toEqual(["cancel"]);
  });

  test("D6 no process below a step may answer", async () => {
    const answer = `for id in $("$CLEW" inbox | grep -o 'q-perm[a-z0-9]*' | sort -u); do "$CLEW" inbox answer $id allow > ../../said 2>&1; done; true`;
    using repo = new AskingRepo([{ run: `(sleep 2; ${answer}) > /dev/null 2>&1 &` }, publish, done]);
    write(repo, "clew.sh", `#!/bin/sh\nexec "${process.execPath}" "${process.cwd()}/dist/clew.cjs" "$@"\n`);
    repo.env["CLEW"] = `${repo.root}/clew.sh`;
    chmodSync(repo.env["CLEW"], 0o755);
    const { started, items } = await repo.startAsking();
    await until(() => existsSync(`${repo.root}/said`) && readFileSync(`${repo.root}/said`, "utf8") !== "");
    expect(readFileSync(`${repo.root}/said`, "utf8")).toContain("was started by the step");
    expect((await repo.permissions()).map(({ id }) => id)).toEqual([items[0]!.id]);
    await repo.clew("inbox", "answer", items[0]!.id, "deny");
    expect((await started.outcome).code).toBe(0);
    expect(repo.notes).toBe("");
  });

  test("W11 an agent that waits takes no place of the scheduler", async () => {
    using repo = new AskingRepo([{ when: "first", ...publish }, { run: "echo built >> ../../notes" }, done], {
      settings: "max_concurrent_agents: 1\n",
    });
    writeBead(repo, { id: "proj-1", title: "first", priority: 0 }, { id: "proj-2", title: "second", priority: 1 });
    write(
      repo,
      ".clew/grimoires/flow.yaml",
      'name: flow\ndescription: d\nsteps:\n- {name: build, type: agent, spell: "Build the {{.bead.title}}.\\n"}\n',
    );
    const daemon = startClew(repo, ["daemon", "run", "--once"]);
    await until(async () => (await repo.permissions()).length === 1 && repo.notes === "built\n");
    const [item] = await repo.permissions();
    await repo.clew("inbox", "answer", item!.id, "deny");
    expect((await daemon.outcome).code).toBe(0);
    expect(repo.notes).toBe("built\nbuilt\n");
  });
});
