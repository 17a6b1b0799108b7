import { describe, expect, test } from "vitest";
import { AskingRepo, ask, done, publish } from "../support/permissions.ts";
import { showRun, until } from "../support/runs.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

describe("H9 an agent of a run asks for a permission", () => {
  test("H9 G16 it waits in the inbox, is allowed from another process, and the record has who did", async () => {
    using repo = new AskingRepo([publish, done]);
    const { started, items } = await repo.startAsking();
    const [item] = items;
    expect(item).toMatchObject({ kind: "permission", bead: "proj-1", run: await repo.runId() });
    expect(item!.text).toContain("build: may its agent use Bash?\n    npm publish\n");
    expect(item!.text).toContain(`clew inbox answer ${item!.id} allow`);
    const { permissions, asking, status } = await showRun(repo);
    expect([asking, status, permissions?.[0]?.tool]).toEqual([1, "running", "Bash"]);
    expect(await repo.clew("run", "show", "latest")).toContain("build asks whether it may use Bash\n  │ npm publish\n");
    expect(await repo.clew("run", "list")).toContain("asks you");
    expect(await repo.clew("status")).toContain(`clew inbox answer ${item!.id} allow`);
    expect(started.printed()).toContain(`clew inbox answer ${item!.id} deny`);

    const receipt = await repo.json("inbox", "answer", item!.id, "allow");
    expect(receipt).toEqual({
      id: item!.id,
      session_id: item!.session_id,
      run: { id: item!.run, kind: "permission", is_driven: true },
    });
    expect(await started.outcome).toMatchObject({ code: 0 });
    expect(repo.notes).toBe("published\n");
    const [signal] = await repo.lines("run.signal");
    const by = { command: "clew inbox answer", user: expect.any(String) as string };
    expect(signal).toMatchObject({
      signal: { kind: "permission", request: item!.id, option: "allow_once" },
      to: { path: "build", attempt: 1 },
      taken: true,
      by,
    });
    const log = await repo.clew("run", "log", "latest");
    expect(log).toContain("? may it use Bash: npm publish");
    expect(log).toContain(`☞ allow ${item!.id}`);
    const { phases } = await repo.show(item!.session_id!);
    const kinds = phases[0]!.entries.map((entry) => (entry.kind === "answer" ? `answer ${entry.text}` : entry.kind));
    expect(kinds.slice(0, 3)).toEqual(["approval_required", "answer allow", "tool"]);
    expect(await repo.permissions()).toEqual([]);
  });

  test("H9 denied: the call is not made, and the agent goes on", async () => {
    using repo = new AskingRepo([publish, done]);
    const { started, items } = await repo.startAsking();
    await repo.clew("inbox", "answer", items[0]!.id, "deny");
    expect((await started.outcome).code).toBe(0);
    expect(repo.notes).toBe("");
    const [result] = await repo.lines("agent.tool_result");
    expect(result).toMatchObject({ name: "Bash", failed: true });
  });

  test("H9 two at once are answered one by one; always counts for those that follow", async () => {
    using repo = new AskingRepo([
      { ask: [ask("npm publish"), { tool: "Fetch", input: { url: "https://example.com/" } }] },
      publish,
      { ask: { tool: "Fetch", input: { url: "https://example.org/" } }, run: "echo fetched >> ../../notes" },
      done,
    ]);
    const { started, items } = await repo.startAsking(["run", "proj-1"], 2);
    const idOf = (word: string): string => items.find(({ text }) => text.includes(word))!.id;
    const [bash, fetch] = [idOf("npm publish"), idOf("example.com")];
    // The run may still be writing its session, so that only what is said is compared.
    const refused = await repo.run(["inbox", "answer", bash, "perhaps"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("takes allow or always or deny")]);
    await repo.clew("inbox", "answer", fetch, "deny");
    await until(async () => (await repo.permissions()).length === 1);
    await repo.clew("inbox", "answer", bash, "always");
    // The third is about the other tool, which was denied once.
    let third = "";
    await until(async () => {
      third = (await repo.permissions()).find(({ text }) => text.includes("example.org"))?.id ?? "";
      return third !== "";
    });
    expect(repo.notes).toBe("published\n");
    await repo.clew("inbox", "answer", third, "allow");
    expect((await started.outcome).code).toBe(0);
    expect(repo.notes).toBe("published\nfetched\n");
    const asked = (await repo.lines("agent.permission")).map(({ id }) => id);
    // The first two were asked at once: which of them came first is not said.
    expect([new Set(asked.slice(0, 2)), asked.slice(2)]).toEqual([new Set([bash, fetch]), [third]]);
  });

  test("G10 while it waits, the clocks of step and run stand still", async () => {
    const settings = "agent_timeout: 6s\nrun_timeout: 8s\n";
    using repo = new AskingRepo([publish, done], { settings });
    const { started, items } = await repo.startAsking();
    await new Promise((pass) => setTimeout(pass, 8500));
    await repo.clew("inbox", "answer", items[0]!.id, "allow");
    expect((await started.outcome).code).toBe(0);
    expect((await showRun(repo)).running_ms).toBeLessThan(8000);
  });

  test("G16 unknown and stale ids are refused, and signal nothing to the run", async () => {
    using repo = new AskingRepo([publish, publish, done]);
    const { started, items } = await repo.startAsking();
    const first = items[0]!.id;
    // The run may still be writing its session, so that what is said and what was signalled are compared.
    const unknown = await repo.run(["inbox", "answer", "q-perm00000000", "allow", "--json"]);
    expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([2, { error: { code: "unknown_inbox_item" } }]);
    await repo.clew("inbox", "answer", first, "deny");
    let second = "";
    await until(async () => {
      second = (await repo.permissions())[0]?.id ?? first;
      return second !== first;
    });
    const stale = await repo.run(["inbox", "answer", first, "allow", "--json"]);
    const error = { code: "unknown_inbox_item", hint: `these wait: ${second}` };
    expect([stale.code, JSON.parse(stale.stdout)]).toMatchObject([2, { error }]);
    expect(await repo.lines("run.signal")).toHaveLength(1);
    await repo.clew("inbox", "answer", second, "deny");
    expect((await started.outcome).code).toBe(0);
    expect(repo.notes).toBe("");
    expect(await repo.lines("run.signal")).toHaveLength(2);
  });

  test.runIf(hasTerminals)("H9 on a terminal it is asked at once: tool, command and folder", async () => {
    using repo = new AskingRepo([publish, done]);
    const { code, lines } = await onTerminal(repo, ["run", "proj-1"], {
      env: repo.env,
      types: [
        ["[d]eny? ", "what\n"],
        ["[d]eny? ", "a\n"],
      ],
    });
    const text = lines.join("\n");
    expect(text).toContain("? build asks whether it may use Bash\n  │ npm publish\n  in ");
    expect(text).toContain(".worktrees/proj-1");
    expect([code, repo.notes]).toEqual([0, "published\n"]);
    const [signal] = await repo.lines("run.signal");
    expect(signal!.by?.terminal).toMatch(/^\/dev\//);
  });

  test.runIf(hasTerminals)("H9 what is answered first wins: the question on the terminal goes away", async () => {
    using repo = new AskingRepo([publish, done]);
    const atTerminal = onTerminal(repo, ["run", "proj-1"], { env: repo.env });
    await until(async () => (await repo.permissions()).length === 1);
    await repo.clew("inbox", "answer", (await repo.permissions())[0]!.id, "deny");
    const { code, lines } = await atTerminal;
    expect([code, repo.notes]).toEqual([0, ""]);
    expect(lines.join("\n")).toContain("☞ deny q-perm");
  });
});
