import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SubagentEntry } from "../../src/contract/session.ts";
import { Repo, textsOf } from "../support/repo.ts";

/** What stands behind the phase's comment. */
const entriesIn = (text: string) => text.slice(text.lastIndexOf("-->\n") + 4);
const totals = async (repo: Repo) =>
  (await repo.json<{ groups: { tokens_used: number }[] }>("session", "stats")).groups.reduce(
    (sum, each) => sum + each.tokens_used,
    0,
  );

async function parentWith(repo: Repo, title = "Ship it"): Promise<string> {
  const id = await repo.clew("session", "start", title, "--channel", "dev");
  await repo.log(id, { kind: "phase", title: "Work" });
  return id;
}

describe("S5 subagents", () => {
  test("S5 inline carries the work inside and counts its tokens to the parent", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const work = { content: "Ran 42 tests.\n\nmode: all\nSummary: none yet", summary: "all green" };
    await repo.log(
      id,
      { kind: "subagent", agent: "tester@2", model: "small-1", mode: "inline", tokens: 90, ...work },
      { kind: "tokens", tokens: 10 },
    );
    expect(entriesIn(repo.read(id).replace(/\n<!-- clew \{"tokens".*\n/, ""))).toBe(
      "\n> [!subagent] @tester@2 (small-1)\n> mode: inline  \n> Tokens: 90  \n>\n> Ran 42 tests.\n>\n> mode\\: all  \n> Summary\\: none yet  \n> Summary: all green  \n",
    );
    const { frontmatter, phases } = await repo.show(id);
    expect(phases[0]!.entries[0]).toEqual({
      kind: "subagent",
      agent: "tester@2",
      model: "small-1",
      mode: "inline",
      tokens: 90,
      ...work,
    });
    expect(frontmatter.tokens_used).toBe(100);
    expect(frontmatter.subagents).toEqual([{ agent: "tester@2", model: "small-1", tokens: 90 }]);
    expect(frontmatter.participants).toEqual(["tester@2"]);
  });

  test("S5 link is the default: session and callout at the start, the summary in its place at the end", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "@coder@3", "--model", "big-2", "-s", id);
    const callout = `\n> [!subagent] @coder@3 (big-2)\n> mode: link  \n> [[${child}]]  \n`;
    expect(entriesIn(repo.read(id))).toBe(callout);
    expect((await repo.show(child)).frontmatter).toMatchObject({
      parent: id,
      status: "active",
      model: "big-2",
      channel: "dev",
      participants: ["coder@3"],
    });
    await repo.log(id, { kind: "text", text: "meanwhile" });
    await repo.log(child, { kind: "tokens", tokens: 70 });
    await repo.clew("session", "end", child, "--summary", "Login fixed");
    expect(entriesIn(repo.read(id))).toBe(
      `${callout}> Tokens: 70  \n> Summary: Login fixed  \n\n> [!agent]\n> meanwhile\n`,
    );
    const { frontmatter } = await repo.show(id);
    expect(frontmatter.subagents).toEqual([{ session: child, agent: "coder@3", model: "big-2", tokens: 70 }]);
    expect(frontmatter.tokens_used).toBeUndefined();
    expect(await totals(repo)).toBe(70);
  });

  test("S5 a linked subagent that is ended from the parent keeps its work and is counted once", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "--mode", "link", "-s", id);
    await repo.log(child, { kind: "tokens", tokens: 100 });
    await repo.clew("session", "log", "subagent", "--agent", "coder", "--summary", "done", "--tokens", "100", "-s", id);
    const ended = await repo.show(child);
    expect(ended.frontmatter).toMatchObject({ status: "completed", tokens_used: 100 });
    expect(textsOf(ended)).toContain("done");
    expect((await repo.show(id)).frontmatter.subagents).toEqual([{ session: child, agent: "coder", tokens: 100 }]);
    expect(await totals(repo)).toBe(100);
  });

  test("S5 work that a link brings along at its start is not lost", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const file = join(repo.root, "work.txt");
    writeFileSync(file, "What it did so far");
    const child = await repo.clew(
      "session",
      "log",
      "subagent",
      "--agent",
      "coder",
      "--mode",
      "link",
      "--content",
      file,
      "-s",
      id,
    );
    expect(textsOf(await repo.show(child))).toEqual(["What it did so far"]);
    expect((await repo.show(child)).frontmatter.status).toBe("active");
  });

  test("S5 embed makes both at the end, and show expands it", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const { stdout } = await repo.run(
      [
        "session",
        "log",
        "subagent",
        "--agent",
        "writer",
        "--mode",
        "embed",
        "--content",
        "-",
        "--tokens",
        "5",
        "-s",
        id,
      ],
      { input: "The whole page" },
    );
    const child = stdout.trim();
    expect(entriesIn(repo.read(id))).toBe(
      `\n> [!subagent] @writer\n> mode: embed  \n> ![[${child}]]  \n> Tokens: 5  \n`,
    );
    expect((await repo.show(child)).frontmatter).toMatchObject({ status: "completed", tokens_used: 5 });
    const shown = await repo.clew("session", "show", id);
    expect(shown).toContain(`  ▌ subagent @writer → ${child} · 5 tokens\n  ┊ Work @writer`);
    expect(shown).toContain("\n  ┊   The whole page\n");
    expect(await totals(repo)).toBe(5);
  });

  test("S5 an embed of itself, of a missing session and four levels deep says so instead of going on", async () => {
    using repo = new Repo();
    const ids: string[] = [];
    for (const level of [1, 2, 3, 4, 5]) ids.push(await repo.clew("session", "start", `Level ${level}`));
    for (const [at, id] of ids.entries()) {
      const next = ids[at + 1] ?? ids[0]!;
      writeFileSync(
        repo.path(id),
        `${repo.read(id)}\n## Work\n\n> [!subagent] @a\n> mode: embed\n> ![[${next}]]\n\nThis is level ${at + 1}.\n`,
      );
    }
    const deep = await repo.clew("session", "show", ids[0]!);
    expect(deep).toContain("This is level 4.");
    expect(deep).toContain("not shown: more than 3 sessions inside each other");
    expect(deep).not.toContain("This is level 5.");
    writeFileSync(
      repo.path(ids[4]!),
      `${repo.read(ids[4]!)}\n> [!subagent] @b\n> mode: embed\n> ![[no-such]]\n\n> [!subagent] @b\n> mode: embed\n> ![[${ids[4]}]]\n`,
    );
    const last = await repo.clew("session", "show", ids[4]!);
    expect(last).toContain("there is no session no-such");
    expect(last).toContain(`${ids[4]} embeds itself`);
  });

  test("S5 agents at work at the same time get sessions of their own", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const children = await Promise.all(
      ["a", "b", "c"].map((agent) => repo.clew("session", "log", "subagent", "--agent", agent, "-s", id)),
    );
    expect(new Set(children).size).toBe(3);
    await Promise.all(children.map((child, at) => repo.clew("session", "end", child, "--summary", `done ${at}`)));
    const linked = (await repo.show(id)).phases[0]!.entries as SubagentEntry[];
    expect(new Map(linked.map(({ session, summary }) => [session, summary]))).toEqual(
      new Map(children.map((child, at) => [child, `done ${at}`])),
    );
  });

  test("S5 the active parent stays the one active session while its subagents work", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    await repo.clew("session", "log", "subagent", "--agent", "a", "-s", id);
    await repo.clew("session", "log", "text", "who am I?");
    expect(textsOf(await repo.show(id))).toEqual(["subagent", "who am I?"]);
  });

  test("S5 subagent_mode sets the default", async () => {
    using repo = new Repo();
    await repo.clew("init");
    writeFileSync(join(repo.root, ".clew/config.yaml"), "subagent_mode: inline\n");
    const id = await parentWith(repo);
    await repo.clew("session", "log", "subagent", "--agent", "a", "--summary", "did it", "-s", id);
    expect(entriesIn(repo.read(id))).toBe("\n> [!subagent] @a\n> mode: inline  \n> Summary: did it  \n");
  });
});

describe("S5 subagents that are refused leave nothing behind", () => {
  test("S5 a parent that has ended takes none, and no session is made for it", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    await repo.clew("session", "end", id);
    for (const mode of ["link", "embed", "inline"]) {
      const { message } = await repo.refused([
        "session",
        "log",
        "subagent",
        "--agent",
        "late",
        "--mode",
        mode,
        "--summary",
        "x",
        "-s",
        id,
      ]);
      expect(message).toContain(`${id} is completed`);
    }
  });

  test("S5 a child that does not exist, or an inline one with a session, is refused", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    for (const mode of ["link", "embed"]) {
      const { code } = await repo.refused([
        "session",
        "log",
        "subagent",
        "--agent",
        "a",
        "--mode",
        mode,
        "--child",
        "no-such",
        "-s",
        id,
      ]);
      expect(code).toBe("unknown_session");
    }
    await repo.refused(["session", "log", "subagent", "--agent", "a", "--mode", "inline", "--child", id, "-s", id]);
  });

  test("S5 a linked session that was ended by hand can still get its summary", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    writeFileSync(repo.path(child), repo.read(child).replace("status: active", "status: abandoned"));
    await repo.clew("session", "log", "subagent", "--agent", "coder", "--summary", "gave up", "-s", id);
    expect((await repo.show(id)).phases[0]!.entries).toEqual([
      { kind: "subagent", agent: "coder", mode: "link", session: child, summary: "gave up" },
    ]);
    expect((await repo.show(child)).frontmatter.status).toBe("abandoned");
  });
});

test("S5 a summary for a name without its version ends the linked subagent of that name", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Parent");
  const log = (...args: string[]): Promise<{ id: string }> =>
    repo.json("session", "log", "subagent", "-s", id, ...args);
  const { id: child } = await log("--agent", "live@3", "--mode", "link");
  expect((await log("--agent", "live", "--summary", "done", "--tokens", "20")).id).toBe(child);
  expect((await repo.show(child)).frontmatter).toMatchObject({ status: "completed", tokens_used: 20 });
  expect((await repo.show(id)).frontmatter.subagents).toMatchObject([{ session: child, agent: "live@3", tokens: 20 }]);
});

describe("S5 one number for one subagent, and a frontmatter that is true", () => {
  const head = (repo: Repo, id: string): string => repo.read(id).split("\n---\n")[0]!;

  test("S3 S5 the parent's frontmatter has what a subagent counted while it is at work", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    expect(head(repo, id)).toContain(`{"session":"${child}","agent":"coder"}`);
    await repo.clew("session", "log", "tokens", "40", "-s", child);
    expect(head(repo, id)).toContain(`{"session":"${child}","agent":"coder","tokens":40}`);
    await repo.log(child, { kind: "tokens", tokens: 2 }, { kind: "subagent", agent: "x", mode: "inline", tokens: 8 });
    expect(head(repo, id)).toContain('"tokens":50}');
    await repo.log(id, { kind: "text", text: "meanwhile" }, { kind: "tokens", tokens: 1 });
    expect(head(repo, id)).toContain('"tokens":50}');
    expect((await repo.show(id)).frontmatter.subagents).toEqual([{ session: child, agent: "coder", tokens: 50 }]);
  });

  test("S5 what a subagent counted itself counts, whatever its end is told with", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    await repo.log(child, { kind: "tokens", tokens: 100 });
    await repo.clew("session", "log", "subagent", "--agent", "coder", "--summary", "done", "--tokens", "120", "-s", id);
    expect((await repo.show(child)).frontmatter.tokens_used).toBe(100);
    expect((await repo.show(id)).frontmatter.subagents).toEqual([{ session: child, agent: "coder", tokens: 100 }]);
    expect(head(repo, id)).toContain('"tokens":100}');
    expect(repo.read(id)).toContain("> Tokens: 100  \n> Summary: done  \n");
  });

  test("S5 a subagent that goes on after its end changes its number in the parent, and an older text of it comes up to date", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    await repo.log(child, { kind: "tokens", tokens: 10 });
    await repo.clew("session", "end", child, "--summary", "first");
    const older = repo.read(id);
    for (const tokens of [5, 6]) {
      await repo.clew("session", "resume", child, "--print-context");
      await repo.clew("session", "resume", child);
      await repo.log(child, { kind: "tokens", tokens });
      await repo.clew("session", "end", child);
    }
    const callout = `> [!subagent] @coder\n> mode: link  \n> [[${child}]]  \n> Tokens: 21  \n> Summary: first  \n`;
    expect(entriesIn(repo.read(id))).toBe(`\n${callout}`);
    expect(head(repo, id)).toContain('"tokens":21}');
    writeFileSync(repo.path(id), older.replace("Tokens: 10", "Tokens: 15"));
    expect((await repo.show(id)).phases[0]!.entries).toMatchObject([{ kind: "subagent", tokens: 21 }]);
    await repo.clew("doctor", "--repair");
    expect(entriesIn(repo.read(id))).toBe(`\n${callout}`);
  });

  test("S5 a session that existed before it was linked is listed with what it has counted", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const other = await repo.clew("session", "start", "Older work");
    await repo.log(other, { kind: "tokens", tokens: 7 });
    await repo.clew("session", "log", "subagent", "--agent", "a", "--child", other, "--tokens", "9", "-s", id);
    expect((await repo.show(id)).frontmatter.subagents).toEqual([{ session: other, agent: "a", tokens: 7 }]);
  });

  test("S5 a subagent that ends without a summary leaves no made-up line, and takes one later", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    await repo.log(child, { kind: "tokens", tokens: 3 });
    await repo.clew("session", "end", child);
    expect(entriesIn(repo.read(id))).toBe(`\n> [!subagent] @coder\n> mode: link  \n> [[${child}]]  \n> Tokens: 3  \n`);
    await repo.clew("session", "log", "subagent", "--agent", "coder", "--summary", "all done", "-s", id);
    expect(entriesIn(repo.read(id))).toContain("> Tokens: 3  \n> Summary: all done  \n");
    const failed = await repo.clew("session", "log", "subagent", "--agent", "tester", "-s", id);
    await repo.clew("session", "end", failed, "--status", "failed", "--error", "no room");
    expect(entriesIn(repo.read(id))).toContain(`> [[${failed}]]  \n> Summary: failed: no room  \n`);
  });

  test("S5 work that comes with a summary is not lost on a session that has ended", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const first = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    await repo.clew("session", "end", first);
    const args = ["session", "log", "subagent", "--agent", "coder", "--summary", "second", "--content", "-", "-s", id];
    const second = (await repo.run(args, { input: "New work" })).stdout.trim();
    expect(second).not.toBe(first);
    expect(textsOf(await repo.show(second))).toEqual(["New work", "second"]);
  });

  test("S5 inline subagents are listed once by agent and model, with the sum of their tokens", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const inline = (agent: string, tokens?: number) => ({ kind: "subagent", agent, mode: "inline", tokens });
    await repo.log(id, inline("tester", 5), inline("tester"), inline("critic"), inline("tester", 6));
    const { subagents, tokens_used } = (await repo.show(id)).frontmatter;
    expect([subagents, tokens_used]).toEqual([[{ agent: "tester", tokens: 11 }, { agent: "critic" }], 11]);
    expect(head(repo, id)).toContain('  - {"agent":"tester","tokens":11}\n  - {"agent":"critic"}');
  });

  test("S5 S12 the parent of a session that was deleted says so", async () => {
    using repo = new Repo();
    const id = await parentWith(repo);
    const child = await repo.clew("session", "log", "subagent", "--agent", "coder", "-s", id);
    await repo.log(child, { kind: "tokens", tokens: 3 });
    await repo.clew("session", "delete", child, "--yes");
    const row = { session: child, agent: "coder", tokens: 3, deleted: true };
    expect(head(repo, id)).toContain(JSON.stringify(row));
    await repo.log(id, { kind: "tokens", tokens: 1 });
    expect((await repo.show(id)).frontmatter.subagents).toEqual([row]);
    expect(await repo.clew("session", "stats", id)).toContain(`@coder → ${child} (deleted) · 3 tokens`);
    // What is told of that agent from now on is another's work.
    const next = await repo.clew("session", "log", "subagent", "--agent", "coder", "--summary", "again", "-s", id);
    expect(next).not.toBe(child);
  });
});
