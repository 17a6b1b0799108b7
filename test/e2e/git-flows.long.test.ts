import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

const tokens = (count: number) => ({ kind: "tokens", tokens: count });

/** Commands that only look. */
const looks = [
  ["session", "list"],
  ["session", "stats"],
  ["search", "needle"],
  ["inbox"],
  [],
  ["doctor"],
  ["index", "check"],
  ["index", "rebuild"],
];

/** The texts of callouts, as they stand in a file. */
const textsIn = (file: string): string[] => [...file.matchAll(/^> \[!\w+\].*\n> (.*)$/gm)].map(([, text]) => text!);

/** A repository whose session is committed, as a team has it, and git with its exit code. */
class TrackedRepo extends Repo {
  id = "";

  static async make(): Promise<TrackedRepo> {
    const repo = new TrackedRepo();
    await repo.clew("init");
    repo.id = await repo.clew("session", "start", "Shared", "--agent", "coder@1");
    await repo.say("base");
    repo.git("add", "--all");
    repo.git("commit", "-q", "-m", "session");
    return repo;
  }

  async say(text: string): Promise<void> {
    await this.log(this.id, { kind: "text", text });
  }

  async texts(): Promise<string[]> {
    return textsOf(await this.show(this.id));
  }

  get file(): string {
    return `.clew/sessions/${this.id}/session.md`;
  }

  /** Whether git did what it was asked. */
  tries(...args: string[]): boolean {
    try {
      execFileSync("git", ["-C", this.root, ...args], { stdio: "ignore", env: { ...process.env, GIT_EDITOR: "true" } });
      return true;
    } catch {
      return false;
    }
  }

  /** One side of a file that git could not merge: what was logged here comes back by itself. */
  settle(): void {
    this.git("checkout", "-q", "--ours", "--", this.file);
    this.git("add", this.file);
  }
}

describe("S7 git over a session that goes on (docs/formats/session.md, In git)", () => {
  test("S7 stash, logged, pop", async () => {
    using repo = await TrackedRepo.make();
    await repo.say("stashed");
    repo.git("stash", "-q");
    await repo.say("meanwhile");
    // Git refuses to write over a file that was changed; taking the change back loses nothing.
    if (!repo.tries("stash", "pop")) {
      repo.git("checkout", "-q", "--", ".clew/sessions");
      repo.git("stash", "pop", "-q");
    }
    expect(await repo.texts()).toEqual(["base", "stashed", "meanwhile"]);
    expect(repo.git("stash", "list")).toBe("");
  });

  test("S7 whoever only looks writes to no session, so that git goes on", async () => {
    using repo = await TrackedRepo.make();
    await repo.log(repo.id, { kind: "text", text: "a stashed needle" }, { kind: "phase", title: "Late" });
    await repo.log(repo.id, { kind: "decision_needed", text: "Which one?" });
    repo.git("stash", "-q");
    const committed = repo.read(repo.id);
    for (const args of [...looks, ["session", "show", repo.id], ["session", "stats", repo.id]]) {
      const { code, stderr } = await repo.run(args);
      expect([args.join(" "), code, stderr, repo.read(repo.id) === committed]).toEqual([args.join(" "), 0, "", true]);
    }
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(repo.tries("stash", "pop")).toBe(true);
    expect(await repo.texts()).toEqual(["base", "a stashed needle", "Which one?"]);
  });

  test.each(["reset", "stash", "clean"])("S7 what a %s took from the file is shown at once", async (act) => {
    using repo = await TrackedRepo.make();
    if (act === "clean") repo.git("rm", "-rq", "--cached", ".clew/sessions");
    if (act === "clean") repo.git("commit", "-q", "-m", "not ours to keep");
    await repo.log(repo.id, { kind: "phase", title: "Late" }, { kind: "text", text: "a needle" }, tokens(5));
    await repo.log(repo.id, { kind: "decision_needed", text: "Which one?" });
    if (act === "reset") repo.git("reset", "-q", "--hard");
    if (act === "stash") repo.git("stash", "-q");
    if (act === "stash") repo.git("stash", "drop", "-q");
    if (act === "clean") repo.git("clean", "-fdxq");
    const file = () => (existsSync(repo.path(repo.id)) ? repo.read(repo.id) : "gone");
    const left = file();
    const told = async () => [
      (await repo.json<{ sessions: object[] }>("session", "list")).sessions,
      (await repo.json<{ hits: object[] }>("search", "needle")).hits,
      (await repo.json<{ items: object[] }>("inbox")).items,
      await repo.texts(),
    ];
    const expected = [
      [{ session_id: repo.id, tokens_used: 5, phases: 2 }],
      [{ session_id: repo.id, phase: "Late", excerpt: "a needle" }],
      [{ text: "Which one?", phase: "Late" }],
      ["base", "a needle", "tokens", "Which one?"],
    ];
    expect(await told()).toMatchObject(expected);
    expect(await told()).toMatchObject(expected);
    expect(file()).toBe(left);
    await repo.say("and on");
    expect(textsIn(file())).toEqual(["base", "a needle", "Which one?", "and on"]);
    expect(await repo.texts()).toEqual(["base", "a needle", "tokens", "Which one?", "and on"]);
  });

  test("S7 doctor tells of a session that git took from the checkout, and --repair puts it back", async () => {
    using repo = await TrackedRepo.make();
    await repo.say("late");
    await repo.clew("session", "end", repo.id);
    repo.git("reset", "-q", "--hard");
    const doctor = await repo.run(["doctor"]);
    expect(doctor.stdout).toContain(`${repo.id} lacks entries`);
    expect(repo.git("status", "--porcelain")).toBe("");
    expect((await repo.run(["doctor", "--repair"])).stdout).toContain(repo.id);
    expect(textsIn(repo.read(repo.id))).toEqual(["base", "late"]);
    expect((await repo.run(["doctor"])).stdout).not.toContain("lacks entries");
  });

  test("S7 merging two branches on both of which it went on", async () => {
    using repo = await TrackedRepo.make();
    repo.git("checkout", "-q", "-b", "side");
    await repo.log(repo.id, { kind: "text", text: "on side" }, { kind: "tokens", tokens: 5 });
    repo.git("commit", "-q", "-a", "-m", "side");
    repo.git("checkout", "-q", "main");
    await repo.log(repo.id, { kind: "text", text: "on main" }, { kind: "tokens", tokens: 7 });
    repo.git("commit", "-q", "-a", "-m", "main");
    expect(repo.tries("merge", "side")).toBe(false);
    const { message, hint } = await repo.refused(["session", "log", "text", "no", "-s", repo.id]);
    expect([message, hint]).toEqual([
      expect.stringMatching(/line \d+: a merge conflict that git left$/),
      expect.stringContaining("git checkout --ours"),
    ]);
    expect((await repo.run(["doctor"])).stdout).toContain("a merge conflict that git left");
    repo.settle();
    repo.git("commit", "-q", "-m", "merged");
    expect(await repo.texts()).toEqual(["base", "on side", "tokens", "on main", "tokens"]);
    const { sessions } = await repo.json<{ sessions: { tokens_used: number }[] }>("session", "list");
    expect(sessions).toMatchObject([{ tokens_used: 12 }]);
  });

  test("S7 S12 a conflict in the body alone is told with its line, and nothing is written over it", async () => {
    using repo = await TrackedRepo.make();
    repo.git("checkout", "-q", "-b", "side");
    await repo.say("on side");
    repo.git("commit", "-q", "-a", "-m", "side");
    repo.git("checkout", "-q", "main");
    await repo.say("on main");
    repo.git("commit", "-q", "-a", "-m", "main");
    expect(repo.tries("merge", "side")).toBe(false);
    const text = repo.read(repo.id);
    const line = text.split("\n").indexOf("<<<<<<< HEAD") + 1;
    expect(text.split("\n---\n")[0]).not.toContain("<<<<");
    for (const args of [
      ["session", "log", "text", "no", "-s", repo.id],
      ["session", "show", repo.id],
      ["session", "end", repo.id],
    ]) {
      const { code, message, hint } = await repo.refused(args, {}, 2);
      expect(code).toBe("damaged_session");
      expect(message).toContain(`${repo.path(repo.id)}: line ${line}: a merge conflict that git left`);
      expect(hint).toContain("git checkout --ours");
    }
    expect(repo.read(repo.id)).toBe(text);
    const { unreadable } = await repo.json<{ unreadable: { reason: string }[] }>("session", "list");
    expect(unreadable).toMatchObject([{ reason: `line ${line}: a merge conflict that git left` }]);
    writeFileSync(repo.path(repo.id), text.replace(/^(?:<{7} .*|={7}|>{7} .*)\n/gm, ""));
    expect((await repo.texts()).toSorted()).toEqual(["base", "on main", "on side"]);
  });

  test("S7 text that merely shows the marks of a conflict is text", async () => {
    using repo = await TrackedRepo.make();
    const marks = "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> side";
    await repo.log(
      repo.id,
      ...["text", "note", "decision"].map((kind) => ({ kind, text: marks })),
      ...["text", "note"].map((kind) => ({ kind, text: `\`\`\`\n${marks}\n\`\`\`` })),
      { kind: "tool", name: "cat", args: marks, result: marks },
    );
    writeFileSync(repo.path(repo.id), `${repo.read(repo.id)}\n~~~\n${marks}\n~~~\n`);
    await repo.say("behind");
    expect(await repo.texts()).toHaveLength(9);
  });

  test("S7 a key that a merge left twice is read where both say the same or the body tells, and written once", async () => {
    using repo = await TrackedRepo.make();
    await repo.log(repo.id, { kind: "tokens", tokens: 5 });
    const twice = (text: string): string =>
      text.replace(/^(?:tokens_used|channel): .*\n/gm, "$&$&").replace("tokens_used: 5", "tokens_used: 3");
    writeFileSync(repo.path(repo.id), twice(repo.read(repo.id)));
    expect(repo.read(repo.id).match(/^(?:tokens_used|channel):/gm)).toHaveLength(4);
    expect((await repo.show(repo.id)).frontmatter).toMatchObject({ tokens_used: 5, channel: "dev" });
    await repo.clew("session", "pause", repo.id);
    expect(
      repo
        .read(repo.id)
        .match(/^(?:tokens_used|channel): .*/gm)
        ?.toSorted(),
    ).toEqual(["channel: dev", "tokens_used: 5"]);
    writeFileSync(
      repo.path(repo.id),
      repo.read(repo.id).replace("status: paused\n", "status: paused\nstatus: failed\n"),
    );
    const { message } = await repo.refused(["session", "show", repo.id]);
    expect(message).toMatch(
      /session\.md: line \d+: `status` stands there a second time and says something else; one of the two has to go$/,
    );
  });

  test("S7 rebasing while it goes on", async () => {
    using repo = await TrackedRepo.make();
    await repo.say("on main");
    repo.git("commit", "-q", "-a", "-m", "main");
    repo.git("checkout", "-q", "-b", "feature", "HEAD~1");
    await repo.say("on feature");
    repo.git("commit", "-q", "-a", "-m", "feature");
    await repo.say("not committed");
    expect(repo.tries("rebase", "main")).toBe(false);
    repo.git("checkout", "-q", "--", ".clew/sessions");
    if (!repo.tries("rebase", "main")) {
      repo.settle();
      expect(repo.tries("rebase", "--continue") || repo.tries("rebase", "--skip")).toBe(true);
    }
    expect(await repo.texts()).toEqual(["base", "on main", "on feature", "not committed"]);
    expect(repo.git("status", "--short", "--branch")).toContain("## feature");
  });

  test("S7 T7 clew init brings the ignore rules of an earlier version up to this one, and keeps a person's", async () => {
    using repo = await TrackedRepo.make();
    const file = join(repo.root, ".clew/.gitignore");
    const now = readFileSync(file, "utf8");
    const former =
      "# What Clew derives or keeps for this machine only. Sessions are yours to commit.\n/logs\n/state\n/transcripts\n/index\n_context.log\nbreadcrumbs/\n";
    const own = "# Mine\n/scratch\n!/logs\n";
    writeFileSync(file, former + own);
    expect(await repo.json("init")).toMatchObject({ made: [], renewed: [".clew/.gitignore"] });
    const lines = readFileSync(file, "utf8").split("\n");
    for (const line of now.trimEnd().split("\n")) expect(lines).toContain(line);
    expect(readFileSync(file, "utf8").endsWith(own)).toBe(true);
    expect(lines).not.toContain("breadcrumbs/");
    expect(lines).not.toContain("_context.log");
    const after = readFileSync(file, "utf8");
    expect(await repo.clew("init")).toContain("Everything is in place");
    expect(readFileSync(file, "utf8")).toBe(after);
  });

  test("S7 T7 a session's folder is not ignored, whatever the repository ignores", async () => {
    using repo = await TrackedRepo.make();
    writeFileSync(join(repo.root, ".gitignore"), "*.log\n");
    const folder = join(repo.root, ".clew/sessions", repo.id);
    for (const path of ["01/_context.log", "01/plan.md", "02-branch-01/report.md", "breadcrumbs/0/1.json"]) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "x\n");
      expect([path, repo.tries("check-ignore", "-q", file)]).toEqual([path, false]);
    }
  });
});
