import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionDocument } from "../../src/contract/session.ts";
import { questionIdPattern } from "../../src/contract/session-values.ts";
import { write } from "../support/grimoires.ts";
import { endNow } from "../support/processes.ts";
import { outcomeOf } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";

interface Listed {
  sessions: { session_id: string; status: string; kind: string; phases: number; errors: number; tokens_used: number }[];
}
interface Items {
  items: { id: string; session_id: string; kind: string; text: string; phase: string }[];
}

/** A loop in which an agent mends what the tests find. */
const mending = `
- name: quality-loop
  type: loop
  max_iterations: 3
  steps:
    - name: run-tests
      type: script
      on_fail: continue
      on_success: exit_loop
      input:
        what: the {{.bead.title}}
      command: |
        echo testing {{.what}}
        test -e mended || { echo 2 of 40 failing >&2; exit 1; }
    - name: mend
      type: agent
      agent: coder@2
      spell: |
        Mend it:
        {{.previous.output}}
`;

/** The second step fails until there is a file `fixed`. */
const blocking = `
- name: first
  type: script
  command: echo first >> ../../notes
- name: second
  type: script
  command: |
    while [ -e ../../hold ]; do sleep 0.02; done
    test -e ../../fixed # at {{default 0 .port}}
`;

const titles = ({ phases }: SessionDocument): string[] => phases.map(({ title }) => title);

async function listed(repo: RunRepo, ...more: string[]): Promise<Listed["sessions"]> {
  return (await repo.json<Listed>("session", "list", "--kind", "run", ...more)).sessions;
}

describe("G15 S1 the session of a run", () => {
  test("S2 a run that is taken up again still names the engines that worked in it before", async () => {
    using repo = new RunRepo(`
- name: think
  type: agent
  spell: "Think of {{.bead.title}}\\nand say so."
- name: check
  type: script
  command: test -e ../../fixed
`);
    const env = repo.plays({ result: { success: true, summary: "Thought." } });
    expect((await repo.run(["run", "proj-1"], { env })).code).toBe(3);
    write(repo, "fixed", "");
    // What can be made again may be thrown away.
    rmSync(join(repo.home, "state/workflows"), { recursive: true });
    expect((await repo.run(["run", "retry", "proj-1"], { env })).code).toBe(0);
    const { frontmatter } = await repo.show(await repo.runId());
    expect(frontmatter.engine_sessions).toEqual([expect.objectContaining({ engine: "scripted" })]);
  });

  test("S2 S3 steps are its phases, with tool calls, errors, words and tokens where they happened", async () => {
    using repo = new RunRepo(mending);
    const env = repo.plays(
      { say: "I touch it.", think: "hm", run: "touch mended && echo touched", usage: { input: 90, output: 10 } },
      { result: { success: true, summary: "It is mended." } },
    );
    expect((await repo.run(["run", "proj-1"], { env })).code).toBe(0);
    const id = await repo.runId();
    const document = await repo.show(id);
    expect(document.frontmatter).toMatchObject({
      session_id: id,
      run: id,
      kind: "run",
      title: "Fix the login",
      bead: "proj-1",
      branch: "main",
      commit: repo.git("rev-parse", "HEAD").trim(),
      status: "completed",
      tokens_used: 100,
      participants: ["coder@2"],
      engine_sessions: [{ engine: "scripted" }],
    });
    const { groups } = await repo.json<{ groups: object[] }>("session", "stats", "--by", "engine");
    expect(groups).toEqual([expect.objectContaining({ key: "scripted", sessions: 1, tokens_used: 100 })]);
    expect(titles(document)).toEqual([
      "quality-loop[1]/run-tests",
      "quality-loop[1]/mend",
      "quality-loop[2]/run-tests",
    ]);
    const [failed, mended, passed] = document.phases;
    const args = "echo testing 'the Fix the login'\ntest -e mended || { echo 2 of 40 failing >&2; exit 1; }";
    expect(failed!.entries).toEqual([
      { kind: "tool", name: "sh", args, result: "testing the Fix the login", failed: true },
      { kind: "error", text: "exited with 1\n\n2 of 40 failing" },
    ]);
    expect(document.frontmatter.channel).toBe("dev");
    expect([failed, mended, passed]).toMatchObject([
      { agent: null, channel: "dev" },
      { agent: "coder@2", channel: "dev" },
      { agent: null, channel: "dev" },
    ]);
    expect(repo.read(id)).toContain("\n## quality-loop[1]/mend @coder@2 #dev\n");
    const kinds = mended!.entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== "text")).toEqual(["tool", "tokens", "task_complete"]);
    expect(mended!.entries).toContainEqual({ kind: "text", text: "I touch it." });
    expect(mended!.entries).toContainEqual({ kind: "task_complete", text: "It is mended." });
    expect(mended!.entries.find(({ kind }) => kind === "tool")).toMatchObject({
      args: "touch mended && echo touched",
      result: expect.stringContaining("touched") as string,
      failed: false,
    });
    expect(passed!.entries).toEqual([
      { kind: "tool", name: "sh", args, result: "testing the Fix the login", failed: false },
    ]);
    const began = repo.journal(id).filter((line) => line.type === "workflow.step.started" && line.kind !== "loop");
    const marks = [...repo.read(id).matchAll(/"at":"([^"]+)","commit":"[0-9a-f]{40}","journal":(\d+)\} -->/g)];
    expect(marks.map(([, at, n]) => ({ at, n: Number(n) }))).toEqual(
      began.map((line) => ({ at: line.at, n: "n" in line ? line.n : 0 })),
    );
  });

  test("S12 list, stats and search see it like any other", async () => {
    using repo = new RunRepo(blocking);
    write(repo, "fixed", "");
    await repo.clew("session", "start", "Other work");
    await repo.clew("run", "proj-1");
    const id = await repo.runId();
    expect(await listed(repo)).toMatchObject([{ session_id: id, status: "completed", kind: "run", phases: 2 }]);
    expect((await repo.json<Listed>("session", "list")).sessions).toHaveLength(2);
    expect(await repo.clew("search", "first")).toContain(id);
    expect(await repo.json("session", "stats", id)).toMatchObject({ tool_calls: 2, failed_tool_calls: 0 });
  });

  test("D7 a value that only becomes a secret where the script puts it is not in the session", async () => {
    const secret = ["Zx9", "kQ2mV7", "tR4nB8", "wL6pD3"].join("");
    using repo = new RunRepo(`
- name: call
  type: script
  command: "echo 'Authorization: Bearer {{.word}}' > /dev/null"
`);
    await repo.clew("run", "proj-1", "--var", `word=${secret}`);
    const text = repo.read(await repo.runId());
    expect(text).toContain("Authorization: Bearer");
    expect(text).not.toContain(secret);
  });
});

describe("G14 a run that waits", () => {
  test("G14 lands in the inbox, and only what moves the run takes it out", async () => {
    using repo = new RunRepo(blocking);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const id = await repo.runId();
    const { items } = await repo.json<Items>("inbox");
    expect(items).toMatchObject([{ session_id: id, kind: "decision_needed", phase: "second" }]);
    expect(items[0]!.id).toMatch(questionIdPattern);
    expect(items[0]!.text).toContain(`clew run retry ${id}`);
    expect(await listed(repo)).toMatchObject([{ status: "paused" }]);
    expect((await repo.show(id)).frontmatter.resume_point).toBe("phase-2");

    const { message, hint } = await repo.refused(["inbox", "answer", items[0]!.id, "just do it"]);
    expect(message).toContain("retry or cancel");
    expect(hint).toContain(`clew run retry ${id}`);
    expect((await repo.run(["inbox", "answer", items[0]!.id, "retry"])).code).toBe(3);
    expect((await repo.json<Items>("inbox")).items).toHaveLength(1);

    write(repo, "fixed", "");
    const [again] = (await repo.json<Items>("inbox")).items;
    await repo.clew("inbox", "answer", again!.id, "retry");
    expect((await repo.json<Items>("inbox")).items).toEqual([]);
    const document = await repo.show(id);
    expect(document.frontmatter).toMatchObject({ status: "completed" });
    expect(document.frontmatter.resume_point).toBeUndefined();
    expect(titles(document)).toEqual(["first", "second", "second (attempt 2)", "second (attempt 3)"]);
    expect(document.phases[1]!.entries.at(-1)).toEqual({ kind: "answer", id: items[0]!.id, text: "retry" });
  });

  test("G17 what a person changed for a retry is in their words; a cancelled run's session is abandoned", async () => {
    using repo = new RunRepo(blocking);
    await repo.run(["run", "proj-1"]);
    const id = await repo.runId();
    await repo.run(["run", "retry", id, "--input", "port=80"]);
    expect((await repo.show(id)).phases[1]!.entries.at(-1)).toEqual({
      kind: "user",
      text: "port = 80",
      action: "retry",
    });
    await repo.run(["run", "cancel", id]);
    expect((await repo.show(id)).frontmatter).toMatchObject({ status: "abandoned" });
    expect((await repo.json<Items>("inbox")).items).toEqual([]);
  });
});

describe("G16 S8 a run that stops in the middle", () => {
  async function inSecond(repo: RunRepo, signal: NodeJS.Signals): Promise<void> {
    write(repo, "hold", "");
    const child = repo.start(["run", "proj-1"]);
    const ended = outcomeOf(child);
    await until(() => repo.notes.includes("first"));
    await until(async () =>
      /"type":"step.process".*"path":"second"/.test(JSON.stringify(repo.journal(await repo.runId()))),
    );
    if (signal === "SIGKILL") endNow(child.pid!);
    else child.kill(signal);
    await ended;
    rmSync(join(repo.root, "hold"));
  }

  test("S8 Ctrl-C pauses the session at the step", async () => {
    using repo = new RunRepo(blocking);
    await inSecond(repo, "SIGINT");
    const { frontmatter } = await repo.show(await repo.runId());
    expect(frontmatter).toMatchObject({ status: "paused", resume_point: "phase-2" });
  });

  test("S8 a run that is driven is not idle, however long its step says nothing", async () => {
    using repo = new RunRepo(blocking);
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nidle_timeout: 1ms\n");
    write(repo, "fixed", "");
    write(repo, "hold", "");
    const child = repo.start(["run", "proj-1"]);
    const ended = outcomeOf(child);
    await until(async () => repo.notes === "first\n" && (await listed(repo))[0]?.phases === 2);
    expect(await listed(repo)).toMatchObject([{ status: "active" }]);
    rmSync(join(repo.root, "hold"));
    expect((await ended).code).toBe(0);
    expect(await listed(repo)).toMatchObject([{ status: "completed" }]);
  });

  test("S7 after kill -9 whoever reads first sees what the journal has; resume adds what is missing, once", async () => {
    using repo = new RunRepo(blocking);
    await inSecond(repo, "SIGKILL");
    const id = await repo.runId();
    expect(await listed(repo)).toMatchObject([{ session_id: id, status: "paused", phases: 2 }]);
    write(repo, "fixed", "");
    await repo.clew("run", "resume", id);
    const document = await repo.show(id);
    expect(document.frontmatter).toMatchObject({ status: "completed" });
    expect(titles(document)).toEqual(["first", "second", "second"]);
    expect(document.phases[1]!.entries.at(-1)).toEqual({
      kind: "remark",
      text: "interrupted here; the step is done again",
    });
  });

  test("S7 a session that was deleted comes back whole when the run goes on, and not before", async () => {
    using repo = new RunRepo(blocking);
    await repo.run(["run", "proj-1"]);
    const id = await repo.runId();
    const before = repo.read(id);
    // As somebody would who knows the files: the command is refused while the run waits.
    for (const path of [
      `.clew/sessions/${id}`,
      `.git/clew/live/${id}.jsonl`,
      `.git/clew/live/${id}.state`,
      `.git/clew/open/${id}`,
    ]) {
      rmSync(join(repo.root, path), { recursive: true, force: true });
    }
    expect(await listed(repo)).toEqual([]);
    expect((await repo.run(["run", "resume", id])).code).toBe(3);
    const bodyOf = (text: string): string => text.slice(text.indexOf("\n# "));
    expect(bodyOf(repo.read(id))).toBe(bodyOf(before));
    expect((await repo.json<Items>("inbox")).items).toHaveLength(1);
  });

  test("S7 a run does not fail for its session, and says so once", async () => {
    using repo = new RunRepo(blocking);
    write(repo, "fixed", "");
    write(repo, ".git/clew/live", "no folder");
    const { code, stderr } = await repo.run(["run", "proj-1"]);
    expect(code).toBe(0);
    expect(stderr.match(/the session of run \S+ cannot be written/g)).toHaveLength(1);
    expect(repo.notes).toBe("first\n");
  });
});
