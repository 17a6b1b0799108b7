import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { outcomeOf, Repo, textsOf, type Outcome } from "../support/repo.ts";

function onTerminal(repo: Repo, args: string[]): Promise<Outcome> {
  const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
  const line = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
  return outcomeOf(spawn("script", ["-qec", line, "/dev/null"], { cwd: repo.root, stdio: ["ignore", "pipe", "pipe"] }));
}

const today = () => new Date().toISOString().slice(0, 10);

describe("S12 how a command finds its session", () => {
  test("S12 -s names the session of every `session log`, also when another one is active", async () => {
    using repo = new Repo();
    const [first, second] = [
      await repo.clew("session", "start", "First"),
      await repo.clew("session", "start", "Second"),
    ];
    await repo.clew("session", "log", "text", "for the first", "-s", first);
    await repo.clew("session", "log", "decision", "for the second", "--session", second);
    await repo.clew("session", "pause", first);
    await repo.clew("session", "log", "text", "for the first again", "-s", first);
    expect(textsOf(await repo.show(first))).toEqual(["for the first", "for the first again"]);
    expect(textsOf(await repo.show(second))).toEqual(["for the second"]);
  });

  test("S12 --json behind any kind of entry prints one document", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Documents");
    expect(await repo.json("session", "log", "text", "hello")).toEqual({ ok: true, session_id: id });
    const asked = await repo.json<{ id: string }>("session", "log", "decision_needed", "Which?");
    expect(asked).toEqual({ ok: true, session_id: id, id: expect.stringMatching(/^q-[a-z0-9]{6}$/) as string });
    expect(await repo.json("inbox", "answer", asked.id, "This")).toEqual({ id: asked.id, session_id: id });
  });

  test("S12 CLEW_SESSION names it, and -s goes before it", async () => {
    using repo = new Repo();
    const [first, second] = [
      await repo.clew("session", "start", "First"),
      await repo.clew("session", "start", "Second"),
    ];
    const env = { CLEW_SESSION: first };
    expect((await repo.run(["session", "log", "text", "by environment"], { env })).code).toBe(0);
    expect((await repo.run(["session", "log", "text", "by flag", "-s", second], { env })).code).toBe(0);
    expect(textsOf(await repo.show(first))).toEqual(["by environment"]);
    expect(textsOf(await repo.show(second))).toEqual(["by flag"]);
  });

  test("S12 a session is named by id, unique prefix, latest, file, folder, from wherever one stands", async () => {
    using repo = new Repo();
    const older = await repo.clew("session", "start", "Older");
    const id = await repo.clew("session", "start", "Newer");
    mkdirSync(join(repo.root, "src/deep"), { recursive: true });
    const folder = join(repo.root, ".clew/sessions", id);
    const named: [name: string, cwd: string][] = [
      [id, repo.root],
      [`${today()}-new`, repo.root],
      ["latest", repo.root],
      [join(folder, "session.md"), "/"],
      [folder, repo.root],
      [`.clew/sessions/${id}`, repo.root],
      [`./.clew/sessions/${id}/session.md`, repo.root],
      [`../../.clew/sessions/${id}/session.md`, join(repo.root, "src/deep")],
      [`../${id}`, join(repo.root, ".clew/sessions", older)],
      ["session.md", folder],
      [".", folder],
    ];
    for (const [name, cwd] of named) {
      const { stdout, stderr } = await repo.run(["session", "show", name], { cwd: cwd === "/" ? repo.root : cwd });
      expect(stdout.split("\n")[0], `${name} in ${cwd}: ${stderr}`).toBe(`Newer  ${id}`);
    }
  });

  test("S5 S12 latest is the newest session that is nobody's child, and says so when there are only children", async () => {
    using repo = new Repo();
    const parent = await repo.clew("session", "start", "Parent");
    for (const agent of Array.from({ length: 12 }, (_, at) => `worker${at}`)) {
      await repo.clew("session", "log", "subagent", "--agent", agent, "--summary", `by ${agent}`, "-s", parent);
    }
    const { frontmatter } = await repo.show("latest");
    expect(frontmatter.session_id).toBe(parent);
    await repo.clew("session", "delete", parent, "--yes");
    const { code, message } = await repo.refused(["session", "show", "latest"]);
    expect([code, message]).toEqual([
      "unknown_session",
      expect.stringContaining("no session but those of subagents: "),
    ]);
    expect(message).toContain(`${today()}-by-worker11`);
  });

  test("S12 a path into another repository is not taken for a session of this one", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Mine");
    for (const path of [`/backup${repo.root}/.clew/sessions/${id}`, `/somewhere/.clew/sessions/${id}/session.md`]) {
      const { code, message } = await repo.refused(["session", "show", path]);
      expect(code).toBe("unknown_session");
      expect(message).toContain(path);
    }
  });

  test("S12 an ambiguous prefix lists what it could mean", async () => {
    using repo = new Repo();
    const ids = [await repo.clew("session", "start", "Alpha"), await repo.clew("session", "start", "Alps")];
    const { code, message, hint } = await repo.refused(["session", "show", `${today()}-alp`]);
    expect(code).toBe("ambiguous_session");
    expect(message).toContain(ids.toSorted().join(", "));
    expect(hint).toBe("give more letters of the id");
  });

  test("S12 an id that is the beginning of another one is no ambiguity", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Alpha");
    await repo.clew("session", "start", "Alpha");
    expect((await repo.show(id)).frontmatter.session_id).toBe(id);
  });

  test("S12 without a name: the one active session; several or none are errors that say what to do", async () => {
    using repo = new Repo();
    expect(await repo.refused(["session", "log", "text", "to nobody"])).toMatchObject({
      code: "no_active_session",
      hint: expect.stringContaining("clew session start") as string,
    });
    const first = await repo.clew("session", "start", "First");
    await repo.clew("session", "log", "text", "to the only one");
    expect(textsOf(await repo.show(first))).toEqual(["to the only one"]);
    const second = await repo.clew("session", "start", "Second");
    const several = await repo.refused(["session", "log", "text", "to whom?"]);
    expect(several.code).toBe("several_active");
    expect(several.message).toContain(`${first}, ${second}`);
    await repo.clew("session", "end", first);
    await repo.clew("session", "log", "text", "to the one left");
    expect(textsOf(await repo.show(second))).toEqual(["to the one left"]);
  });

  test("S5 without a name, never a subagent's session: not while its parent is paused, and not without its state", async () => {
    using repo = new Repo();
    const parent = await repo.clew("session", "start", "Parent");
    const child = await repo.clew("session", "log", "subagent", "--agent", "tester");
    await repo.clew("session", "log", "text", "to the parent");
    await repo.clew("session", "pause", parent);
    for (const args of [["log", "text", "to nobody"], ["pause"], ["end"]]) {
      const { code, message, hint } = await repo.refused(["session", ...args]);
      expect([code, message]).toEqual(["no_active_session", expect.stringContaining(child)]);
      expect(hint).toContain("-s ID");
    }
    rmSync(join(repo.home, "live", `${child}.state`));
    expect((await repo.refused(["session", "log", "text", "to nobody"])).code).toBe("no_active_session");
    expect(textsOf(await repo.show(child))).toEqual([]);
    expect(textsOf(await repo.show(parent))).toEqual(["subagent", "to the parent"]);
    await repo.clew("session", "log", "text", "by name", "-s", child);
    expect(textsOf(await repo.show(child))).toEqual(["by name"]);
  });

  test("S12 on a terminal, logging says in which session; a pipe gets nothing but ids", async ({ skip }) => {
    if (!existsSync("/usr/bin/script")) return skip("nothing here makes a terminal");
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Here");
    expect((await onTerminal(repo, ["session", "log", "text", "seen"])).stdout).toContain(`logged in ${id}`);
    expect(await repo.run(["session", "log", "text", "unseen"])).toMatchObject({ stdout: "", stderr: "" });
  });

  test("S12 latest is the newest session, also when it is archived; without sessions it is an error", async () => {
    using repo = new Repo();
    expect((await repo.refused(["session", "show", "latest"])).code).toBe("unknown_session");
    await repo.clew("session", "start", "Older");
    const id = await repo.clew("session", "start", "Newer");
    await repo.clew("session", "end", id);
    await repo.clew("session", "archive", id);
    expect((await repo.show("latest")).frontmatter.session_id).toBe(id);
  });
});
