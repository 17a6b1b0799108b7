import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

interface List {
  sessions: { session_id: string }[];
  unreadable: { path: string; reason: string }[];
}

const makeFifo = (path: string) => execFileSync("mkfifo", [path]);
const makeHuge = (path: string) => {
  writeFileSync(path, "");
  truncateSync(path, 2 ** 31);
};
const head = (extra: string) =>
  `---\ntype: session\nsession_id: bad\nstarted: 2026-11-01T10:00:00Z\nstatus: active\n${extra}---\n\n## One\n`;
const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]\n"]
  .concat(
    "bcdefgh".split("").map((name, at) => {
      const before = `*${"abcdefgh"[at]}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => before).join(", ")}]\n`;
    }),
  )
  .join("");

const bad: [what: string, make: (path: string) => void, reason: RegExp][] = [
  ["a pipe", makeFifo, /is a pipe, not a file/],
  ["a device", (path) => symlinkSync("/dev/zero", path), /device|leads out|link/],
  ["a folder", (path) => mkdirSync(path), /is a folder, not a file/],
  ["a link to itself", (path) => symlinkSync("session.md", path), /link/],
  ["2 GB", makeHuge, /is longer than 256 MiB/],
  ["an alias of nothing", (path) => writeFileSync(path, head("tags: *nothing\n")), /alias/i],
  ["an alias bomb", (path) => writeFileSync(path, head(bomb)), /alias/i],
];

describe("S12 one session that cannot be read", () => {
  test.each(bad)("S12 %s as session.md keeps nobody from the others", async (_, make, reason) => {
    using repo = new Repo();
    const fine = await repo.clew("session", "start", "Fine");
    await repo.log(fine, { kind: "text", text: "needle" }, { kind: "decision_needed", text: "Well?" });
    mkdirSync(dirname(repo.path("bad")), { recursive: true });
    make(repo.path("bad"));
    const listed = await repo.json<List>("session", "list");
    expect(listed.sessions).toMatchObject([{ session_id: fine }]);
    expect(listed.unreadable).toEqual([{ path: repo.path("bad"), reason: expect.stringMatching(reason) as string }]);
    expect((await repo.json<{ hits: unknown[] }>("search", "needle")).hits).toHaveLength(1);
    expect((await repo.json<{ items: unknown[] }>("inbox")).items).toHaveLength(1);
    await repo.clew("session", "stats", "--by", "status");
    expect(await repo.json("index", "check")).toMatchObject({ sessions: 2, changed: [] });
    await repo.clew("index", "rebuild");
    expect((await repo.json<List>("session", "list")).unreadable).toHaveLength(1);
    expect((await repo.run(["doctor"])).stdout).toMatch(reason);
    for (const args of [
      ["log", "text", "more", "-s", "bad"],
      ["show", "bad"],
      ["end", "bad"],
    ]) {
      const { code, message } = await repo.refused(["session", ...args]);
      expect([args[0], code, message]).toEqual([args[0], "damaged_session", expect.stringContaining(repo.path("bad"))]);
    }
    await repo.clew("session", "log", "text", "more", "-s", fine);
  });

  test("S7 a pipe in the place of a session that was logged keeps nothing: its entries come back", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Piped");
    await repo.log(id, { kind: "text", text: "one" });
    rmSync(repo.path(id));
    makeFifo(repo.path(id));
    expect((await repo.refused(["session", "log", "text", "two", "-s", id])).code).toBe("damaged_session");
    expect((await repo.json<List>("session", "list")).unreadable).toHaveLength(1);
    rmSync(repo.path(id));
    await repo.clew("session", "log", "text", "two", "-s", id);
    expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
  });

  test("S12 a mark of byte order is simply read, and kept", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Marked");
    await repo.log(id, { kind: "text", text: "one" });
    writeFileSync(repo.path(id), `\uFEFF${repo.read(id)}`);
    await repo.log(id, { kind: "phase", title: "Next" }, { kind: "text", text: "two" }, { kind: "tokens", tokens: 5 });
    await repo.clew(
      "session",
      "rename",
      id,
      "A much longer title than it had before, so that there is no room for it".repeat(9),
    );
    await repo.clew("session", "end", id);
    expect(textsOf(await repo.show(id))).toEqual(["one", "two", "tokens"]);
    expect(repo.read(id).startsWith("\uFEFF---\n")).toBe(true);
    expect(repo.read(id).lastIndexOf("\uFEFF")).toBe(0);
    expect((await repo.json<List>("session", "list")).sessions).toMatchObject([
      { status: "completed", tokens_used: 5 },
    ]);
  });

  test("S12 a session whose folder is only a link to nowhere is no session, and harms none", async () => {
    using repo = new Repo();
    repo.place("fine");
    symlinkSync("nowhere", join(repo.root, ".clew/sessions/gone"));
    symlinkSync("circle", join(repo.root, ".clew/sessions/circle"));
    expect((await repo.json<List>("session", "list")).sessions).toMatchObject([{ session_id: "fine" }]);
    expect((await repo.run(["doctor"])).code).not.toBe(null);
  });
});

describe("S7 Clew's own files, when something else stands in their place", () => {
  const own = ["live/ID.state", "open/ID", "state/sessions-seen.json"];
  test.each(own)("S7 a pipe as %s hangs nothing and loses nothing", async (name) => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Work");
    await repo.log(id, { kind: "text", text: "one" });
    await repo.clew("session", "list");
    const path = join(repo.home, name.replace("ID", id));
    rmSync(path, { force: true });
    makeFifo(path);
    await repo.run(["session", "log", "text", "two", "-s", id]);
    expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
    expect((await repo.json<List>("session", "list")).sessions).toMatchObject([{ session_id: id }]);
  });

  test("S7 a write-ahead copy that is a link to itself keeps nobody from the others", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Work");
    await repo.log(id, { kind: "text", text: "one" });
    const other = await repo.clew("session", "start", "Other");
    await repo.log(other, { kind: "text", text: "needle" });
    const path = join(repo.home, "live", `${id}.jsonl`);
    rmSync(path);
    symlinkSync(`${id}.jsonl`, path);
    const { sessions } = await repo.json<List>("session", "list");
    expect(sessions.map(({ session_id }) => session_id)).toContain(other);
    expect((await repo.json<{ hits: unknown[] }>("search", "needle")).hits).toHaveLength(1);
    await repo.clew("inbox");
    await repo.clew("index", "check");
  });

  test("S7 a pipe as the write-ahead copy is told of, and keeps nobody from the others", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Work");
    const other = await repo.clew("session", "start", "Other");
    rmSync(join(repo.home, "live", `${id}.jsonl`));
    makeFifo(join(repo.home, "live", `${id}.jsonl`));
    const { message } = await repo.refused(["session", "log", "text", "two", "-s", id]);
    expect(message).toContain("is a pipe");
    await repo.clew("session", "log", "text", "fine", "-s", other);
    const listed = await repo.json<List>("session", "list");
    expect(listed.sessions.map(({ session_id }) => session_id)).toContain(other);
    expect((await repo.run(["doctor"])).stdout).toContain("is a pipe");
  });

  test("S7 an empty write-ahead copy, as a kill may leave it, is begun again", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Work");
    await repo.log(id, { kind: "text", text: "one" });
    writeFileSync(join(repo.home, "live", `${id}.jsonl`), "");
    await repo.log(id, { kind: "text", text: "two" });
    rmSync(join(repo.root, ".clew/sessions", id), { recursive: true });
    expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
    appendFileSync(join(repo.home, "live/empty.jsonl"), "");
    expect((await repo.json<List>("session", "list")).unreadable).toEqual([]);
  });
});

describe("runs, when something else stands in the place of their files", () => {
  const inHome: [name: string, commands: string[][]][] = [
    ["signals/run-1.x.json", [["inbox"], ["run", "list"], ["doctor"]]],
    ["refused/a-1.json", [["inbox"], ["bead", "list"], ["doctor"]]],
    ["claims/a-1.json", [["run", "list"], ["bead", "update", "a-1", "--title", "x"], ["doctor"]]],
    ["logs/workflows/run-1.jsonl", [["inbox"], ["run", "list"], ["session", "list"], ["doctor"]]],
    ["state/workflows/run-1.json", [["inbox"], ["run", "list"], ["doctor"]]],
    ["index/manifest.toon", [["session", "list"], ["doctor"]]],
  ];
  const makes = { pipe: makeFifo, folder: (path: string) => mkdirSync(path), "2 GB": makeHuge };
  for (const [kind, make] of Object.entries(makes)) {
    test.each(inHome)(`G10 a ${kind} as %s hangs nothing and stops no command`, async (name, commands) => {
      using repo = new Repo();
      const id = await repo.clew("session", "start", "Fine");
      await repo.clew("session", "list");
      mkdirSync(join(repo.root, ".beads"), { recursive: true });
      writeFileSync(
        join(repo.root, ".beads/issues.jsonl"),
        `${JSON.stringify({ id: "a-1", title: "one", status: "open" })}\n`,
      );
      const path = join(repo.home, name);
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { force: true });
      make(path);
      for (const args of commands) {
        const { code, stderr } = await repo.run(args);
        expect([args, stderr.includes("unexpected"), code === 0 || args[0] === "doctor"]).toEqual([args, false, true]);
      }
      await repo.clew("session", "log", "text", "more", "-s", id);
    });
  }
});

describe("settings and inputs", () => {
  test.each([
    ["a pipe", makeFifo],
    ["a folder", (path: string) => mkdirSync(path)],
    ["2 GB", makeHuge],
  ])("S7 %s as config.yaml is refused by name", async (_, make) => {
    using repo = new Repo();
    mkdirSync(join(repo.root, ".clew"));
    make(join(repo.root, ".clew/config.yaml"));
    const { stdout, code } = await repo.run(["session", "list", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "unreadable_file", message: expect.stringContaining(".clew/config.yaml") as string },
    });
  });

  const pipeOr2GB: [string, (path: string) => void][] = [
    ["a pipe", makeFifo],
    ["2 GB", makeHuge],
  ];
  test.each(pipeOr2GB)("S7 %s given as a file is refused by name", async (_, make) => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Work");
    const path = join(repo.root, "given");
    make(path);
    for (const args of [
      ["session", "log", "tasks", path, "-s", id],
      ["session", "log", "subagent", "--agent", "a", "--mode", "inline", "--content", path, "-s", id],
      ["bead", "import", path],
      ["spell", "render", path],
      ["grimoire", "validate", path],
    ]) {
      const { message } = await repo.refused(args);
      expect([args[1], message]).toEqual([args[1], expect.stringContaining("given")]);
    }
  });

  const noFiles: [string, (path: string) => void][] = [
    ["a pipe", makeFifo],
    ["a device", (path) => symlinkSync("/dev/zero", path)],
    ["a folder", (path) => mkdirSync(path)],
  ];
  test.each(noFiles)(
    "G1 G5 %s as a grimoire or spell is told of, and no built-in takes its place",
    async (what, make) => {
      using repo = new Repo();
      for (const folder of ["grimoires", "spells"]) mkdirSync(join(repo.root, ".clew", folder), { recursive: true });
      make(join(repo.root, ".clew/grimoires/odd.yaml"));
      make(join(repo.root, ".clew/spells/review.md"));
      const told = expect.stringContaining(`is ${what}, not a file`) as string;
      expect(await repo.clew("grimoire", "list")).toContain("odd");
      expect((await repo.run(["grimoire", "validate"])).stdout).toEqual(told);
      expect((await repo.refused(["spell", "render", "review"])).message).toEqual(told);
    },
  );

  test.each(["[", "{", "- ", "? "])("S12 G1 a row of %j in YAML takes no time", async (piece) => {
    using repo = new Repo();
    const fine = await repo.clew("session", "start", "Fine");
    const text = piece.repeat(900_000 / piece.length);
    mkdirSync(dirname(repo.path("bad")), { recursive: true });
    writeFileSync(repo.path("bad"), head(`tags: ${text}\n`));
    mkdirSync(join(repo.root, ".clew/grimoires"));
    writeFileSync(join(repo.root, ".clew/grimoires/odd.yaml"), `name: ${text}\n`);
    const listed = await repo.json<List>("session", "list");
    expect(listed.sessions).toMatchObject([{ session_id: fine }]);
    expect(listed.unreadable).toMatchObject([{ reason: expect.stringContaining("nested too deeply") as string }]);
    expect(await repo.clew("grimoire", "list")).toMatch(/^odd /m);
    expect((await repo.run(["grimoire", "validate"])).stdout).toContain("nested too deeply");
    repo.configure(`channel: ${text}\n`);
    expect((await repo.refused(["session", "list"])).message).toContain("nested too deeply");
  });

  test.each(pipeOr2GB)("G2 %s as issues.jsonl is refused by name", async (_, make) => {
    using repo = new Repo();
    mkdirSync(join(repo.root, ".beads"));
    make(join(repo.root, ".beads/issues.jsonl"));
    for (const args of [
      ["bead", "list"],
      ["bead", "create", "x"],
    ]) {
      const { message } = await repo.refused(args);
      expect([args[1], message]).toEqual([args[1], expect.stringContaining("issues.jsonl")]);
    }
  });
});
