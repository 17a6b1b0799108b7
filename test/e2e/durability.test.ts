import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outcomeOf, Repo, textsOf } from "../support/repo.ts";

const text = (said: string) => ({ kind: "text", text: said });
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => text(`entry ${from + at}`));
const said = (from: number, to: number) => numbered(from, to).map((entry) => entry.text);

async function sessionWith(repo: Repo, count: number): Promise<string> {
  const id = await repo.clew("session", "start", "Long work");
  await repo.log(id, { kind: "phase", title: "Work" }, ...numbered(1, count));
  return id;
}

describe("S7 an acknowledged entry stays", () => {
  test("S7 several processes log to one session at once and lose nothing", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 1);
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let at = 0; at < 5; at++)
        await repo.clew("session", "log", "text", `writer ${writer} entry ${at}`, "-s", id);
    });
    const batches = Array.from({ length: 2 }, (_, batch) =>
      repo.log(id, ...Array.from({ length: 200 }, (__, at) => text(`batch ${batch} entry ${at}`))),
    );
    await Promise.all([...writers, ...batches]);
    const texts = textsOf(await repo.show(id));
    expect(texts).toHaveLength(1 + 30 + 400);
    for (let writer = 0; writer < 6; writer++) {
      const own = texts.filter((each) => each.startsWith(`writer ${writer} `));
      expect(own).toEqual(Array.from({ length: 5 }, (_, at) => `writer ${writer} entry ${at}`));
    }
    for (let batch = 0; batch < 2; batch++) {
      const own = texts.filter((each) => each.startsWith(`batch ${batch} `));
      expect(own).toEqual(Array.from({ length: 200 }, (_, at) => `batch ${batch} entry ${at}`));
    }
  });

  test("S7 kill -9 while logging: everything acknowledged is there, in order, and the file parses", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Killed");
    let sent = 0;
    const acknowledged: number[] = [];
    for (let round = 0; round < 12; round++) {
      const child = repo.start(["session", "log", "--batch", "--json", "-s", id]);
      child.stdin!.on("error", () => undefined);
      const first = sent;
      let answers = "";
      const killAfter = 1 + ((round * 7) % 90);
      const ended = outcomeOf(child);
      child.stdout!.on("data", (chunk: Buffer) => {
        answers += chunk.toString();
        if (answers.split("\n").length > killAfter) child.kill("SIGKILL");
      });
      for (let at = 0; at < 400; at++) {
        const kind =
          sent % 3 === 0
            ? { kind: "tool", name: "run", args: `entry ${sent}\nlong`, result: "é" }
            : text(`entry ${sent}`);
        child.stdin!.write(`${JSON.stringify(kind)}\n`);
        sent++;
      }
      child.stdin!.end();
      await ended;
      for (const line of answers.split("\n").slice(0, -1))
        acknowledged.push(first + (JSON.parse(line) as { line: number }).line - 1);
    }
    const numbers = (await repo.show(id)).phases.flatMap(({ entries }) =>
      entries.map((entry) =>
        Number(/entry (\d+)/.exec(entry.kind === "tool" ? entry.args : "text" in entry ? entry.text : "")?.[1]),
      ),
    );
    expect(numbers).not.toContain(Number.NaN);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    const there = new Set(numbers);
    expect(acknowledged.filter((each) => !there.has(each))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(100);
  });

  test("S7 a refused line, and words of the user, change the order of no other line", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Ordered");
    const lines = Array.from({ length: 900 }, (_, at) => JSON.stringify(text(`entry ${at}`)));
    lines[10] = "no JSON";
    lines[20] = JSON.stringify({ kind: "user", text: "entry 20" });
    await repo.run(["session", "log", "--batch", "--json", "-s", id], { input: `${lines.join("\n")}\n` });
    const entries = (await repo.show(id)).phases.flatMap((phase) => phase.entries);
    const numbers = entries.map((entry) => Number(("text" in entry ? entry.text : "").split(" ")[1]));
    expect(numbers).toEqual(lines.flatMap((_, at) => (at === 10 ? [] : at)));
  });

  test("S7 an editor that saves an older text in place does not lose newer entries", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 5);
    const opened = repo.read(id);
    await repo.log(id, ...numbered(6, 9));
    writeFileSync(repo.path(id), `${opened}\nA note of mine.\n`);
    expect(textsOf(await repo.show(id))).toEqual([...said(1, 5), "A note of mine.", ...said(6, 9)]);
    await repo.clew("session", "log", "text", "entry 10", "-s", id);
    expect(textsOf(await repo.show(id))).toEqual([...said(1, 5), "A note of mine.", ...said(6, 10)]);
  });

  test("S7 an editor that saves by rename, without a final line end, does not lose newer entries", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 3);
    const opened = repo.read(id);
    await repo.log(id, ...numbered(4, 5));
    const aside = `${repo.path(id)}~`;
    writeFileSync(aside, `${opened}\nNo line end`);
    renameSync(aside, repo.path(id));
    await repo.clew("session", "log", "text", "entry 6", "-s", id);
    expect(textsOf(await repo.show(id))).toEqual([...said(1, 3), "No line end", ...said(4, 6)]);
  });

  test("S7 what a person deleted stays deleted", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 6);
    writeFileSync(
      repo.path(id),
      repo.read(id).replace("\n> [!agent]\n> entry 3\n", "").replace("> entry 5", "> entry five"),
    );
    await repo.log(id, ...numbered(7, 8));
    expect(textsOf(await repo.show(id))).toEqual([...said(1, 2), "entry 4", "entry five", ...said(6, 8)]);
    await repo.clew("session", "list");
    expect(textsOf(await repo.show(id))).not.toContain("entry 3");
  });

  test("S7 git clean -fdx takes nothing away", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 4);
    await repo.clew("session", "pause", id);
    repo.git("clean", "-fdxq");
    expect(existsSync(repo.path(id))).toBe(false);
    const { sessions } = await repo.json<{ sessions: { session_id: string; status: string }[] }>("session", "list");
    expect(sessions).toMatchObject([{ session_id: id, status: "paused" }]);
    expect(textsOf(await repo.show(id))).toEqual(said(1, 4));
    const document = await repo.show(id);
    expect(document.frontmatter).toMatchObject({ status: "paused", resume_point: "phase-1" });
  });

  test("S7 a forced branch switch and back keeps every acknowledged entry", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 3);
    repo.git("add", ".clew");
    repo.git("commit", "-qm", "three entries");
    repo.git("branch", "older", "HEAD~1");
    await repo.log(id, ...numbered(4, 6));
    repo.git("switch", "-qf", "older");
    expect(textsOf(await repo.show(id))).toEqual(said(1, 6));
    await repo.log(id, ...numbered(7, 7));
    rmSync(join(repo.root, ".clew"), { recursive: true });
    repo.git("switch", "-qf", "main");
    expect(textsOf(await repo.show(id))).toEqual(said(1, 7));
  });

  test("S7 a stash puts back an older file; newer entries are there at the next look", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 2);
    repo.git("add", ".clew");
    repo.git("commit", "-qm", "two entries");
    await repo.log(id, ...numbered(3, 4));
    await repo.clew("session", "end", id);
    repo.git("stash", "-q");
    const document = await repo.show(id);
    expect(textsOf(document)).toEqual(said(1, 4));
    expect(document.frontmatter.status).toBe("completed");
  });

  test("S7 a status that a person changed by hand is not set back", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 2);
    await repo.clew("session", "pause", id);
    writeFileSync(repo.path(id), repo.read(id).replace("status: paused", "status: abandoned"));
    expect((await repo.show(id)).frontmatter.status).toBe("abandoned");
  });

  test("S7 a committed session that leaves with its branch does not come back to this one", async () => {
    using repo = new Repo();
    repo.git("branch", "other");
    const id = await sessionWith(repo, 2);
    await repo.clew("session", "end", id);
    repo.git("add", ".clew");
    repo.git("commit", "-qm", "all of it");
    repo.git("switch", "-q", "other");
    const list = await repo.json<{ sessions: unknown[]; unreadable: unknown[] }>("session", "list");
    expect(list).toEqual({ sessions: [], unreadable: [] });
    expect(existsSync(repo.path(id))).toBe(false);
    repo.git("switch", "-q", "main");
    expect((await repo.json<{ sessions: unknown[] }>("session", "list")).sessions).toHaveLength(1);
    expect(textsOf(await repo.show(id))).toEqual(said(1, 2));
  });

  test("S7 the copy goes once the session is committed, and a later entry starts a new one", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 2);
    await repo.clew("session", "end", id);
    const copy = join(repo.home, "live", `${id}.jsonl`);
    await repo.clew("session", "list");
    expect(existsSync(copy)).toBe(true);
    repo.git("add", ".clew");
    repo.git("commit", "-qm", "session");
    await repo.clew("session", "list");
    expect(existsSync(copy)).toBe(false);
    await repo.clew("session", "resume", id);
    await repo.log(id, ...numbered(3, 4));
    rmSync(join(repo.root, ".clew/sessions"), { recursive: true });
    expect(textsOf(await repo.show(id))).toEqual(said(1, 4));
  });

  test("S7 a torn end of session.md is read whole, and closed, never cut, by whoever writes", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 4);
    const whole = repo.read(id);
    for (const lost of [1, 5, 9, 17, 24]) {
      writeFileSync(repo.path(id), whole);
      truncateSync(repo.path(id), Buffer.byteLength(whole) - lost);
      const torn = repo.read(id);
      expect(textsOf(await repo.show(id))).toEqual(said(1, 4));
      expect(repo.read(id)).toBe(torn);
      await repo.clew("doctor", "--repair");
      expect(repo.read(id)).toBe(whole);
    }
  });

  test("S7 a torn line in the write-ahead copy is closed and told of, and logging goes on", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 2);
    const copy = join(repo.home, "live", `${id}.jsonl`);
    appendFileSync(copy, '{"n":99,"text":"\\n> [!agent]\\n> half');
    await repo.log(id, ...numbered(3, 3));
    expect(textsOf(await repo.show(id))).toEqual(said(1, 3));
    expect(readFileSync(copy, "utf8")).toContain('"torn":true');
    writeFileSync(repo.path(id), repo.read(id).replace(/\n> \[!agent\]\n> entry 3\n/, ""));
    expect(textsOf(await repo.show(id))).toEqual(said(1, 3));
  });

  test("S7 an unclosed fence that a person left does not swallow what is logged after it", async () => {
    using repo = new Repo();
    const id = await sessionWith(repo, 1);
    appendFileSync(repo.path(id), "\nLook:\n\n```js\nlet a = 1;\n");
    await repo.log(id, ...numbered(2, 2), { kind: "tasks", tasks: [{ id: "1", content: "go", status: "pending" }] });
    const document = await repo.show(id);
    expect(textsOf(document)).toEqual(["entry 1", "Look:\n\n```js\nlet a = 1;\n```", "entry 2"]);
    expect(document.tasks).toHaveLength(1);
  });
});
