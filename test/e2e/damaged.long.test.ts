import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

interface List {
  sessions: { session_id: string }[];
  unreadable: { path: string; reason: string }[];
}

const list = (repo: Repo) => repo.json<List>("session", "list");
const head = (id: string) =>
  `---\ntype: session\nsession_id: ${id}\nstarted: 2026-11-01T10:00:00Z\nstatus: paused\n---\n`;

const damages: [name: string, damage: (file: string) => string, reason: RegExp][] = [
  ["no-frontmatter", () => "# Only a title\n", /^line 1: .*`---`/],
  ["empty", () => "", /^line 1: /],
  ["unclosed", (file) => file.replace(/---\n$/, ""), /no closing `---`/],
  ["bad-yaml", (file) => file.replace("status: paused", "status: [paused"), /^line \d+, column \d+: /],
  [
    "twice",
    (file) => file.replace("status: paused", "status: paused\nstatus: active"),
    /^line 6: `status` stands there a second time and says something else/,
  ],
  ["no-id", (file) => file.replace(/session_id: .*\n/, ""), /session_id/],
  ["other-id", (file) => file.replace("-other-id", "-another"), /session_id: says .*-another, but the folder is/],
  ["bad-status", (file) => file.replace("paused", "done"), /status: must be one of active, paused/],
  ["bad-date", (file) => file.replace("2026-11-01T10", "sometime"), /started/],
  ["bad-count", (file) => file.replace("status:", "tokens_used: many\nstatus:"), /tokens_used/],
  ["bad-list", (file) => file.replace("status:", "participants: {a: 1}\nstatus:"), /participants/],
  ["conflict", (file) => `<<<<<<< HEAD\n${file}=======\n${file}>>>>>>> other\n`, /^line 1: /],
  ["bad-type", (file) => file.replace("type: session", "type: note"), /type/],
];

test("S12 a session that cannot be read is listed as such, with its place and the reason", async () => {
  using repo = new Repo();
  repo.place("2026-11-01-fine");
  for (const [name, damage] of damages) {
    repo.place(`2026-11-01-${name}`);
    writeFileSync(repo.path(`2026-11-01-${name}`), damage(head(`2026-11-01-${name}`)));
  }
  const { sessions, unreadable } = await list(repo);
  expect(sessions.map(({ session_id }) => session_id)).toEqual(["2026-11-01-fine"]);
  const reasons = new Map(unreadable.map(({ path, reason }) => [path, reason]));
  for (const [name, , reason] of damages)
    expect([name, reasons.get(repo.path(`2026-11-01-${name}`)) ?? "not listed"]).toEqual([
      name,
      expect.stringMatching(reason),
    ]);
  expect(unreadable).toHaveLength(damages.length);
  const shown = await repo.clew("session", "list");
  expect(shown).toContain("2026-11-01-bad-status");
});

test("S12 commands on it are refused with file and reason, and change nothing", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Broken");
  await repo.log(id, { kind: "text", text: "hello" });
  writeFileSync(repo.path(id), repo.read(id).replace("status: active", "status: undecided"));
  for (const args of [
    ["log", "text", "more", "-s", id],
    ["pause", id],
    ["end", id],
    ["rename", id, "x"],
    ["archive", id],
    ["show", id],
    ["resume", id],
    ["stats", id],
  ]) {
    const { code, message, hint } = await repo.refused(["session", ...args]);
    expect([args[0], code]).toEqual([args[0], "damaged_session"]);
    expect(message).toContain(`${repo.path(id)}: frontmatter: status: must be one of`);
    expect(hint).toContain("mend");
  }
});

test("S12 it keeps no other session from being logged, listed, searched and answered", async () => {
  using repo = new Repo();
  const broken = await repo.clew("session", "start", "Broken");
  await repo.log(broken, { kind: "text", text: "needle one" });
  const fine = await repo.clew("session", "start", "Fine");
  await repo.clew("session", "list");
  writeFileSync(repo.path(broken), "garbage");
  await repo.log(fine, { kind: "text", text: "needle two" }, { kind: "decision_needed", text: "Well?" });
  const { hits } = await repo.json<{ hits: { session_id: string }[] }>("search", "needle");
  expect(hits.map(({ session_id }) => session_id)).toEqual([fine]);
  const { items } = await repo.json<{ items: { session_id: string }[] }>("inbox");
  expect(items.map(({ session_id }) => session_id)).toEqual([fine]);
  expect((await list(repo)).sessions.map(({ session_id }) => session_id)).toContain(fine);
});

test("S12 a file that breaks after it was found by search does not break the search", async () => {
  using repo = new Repo();
  repo.place("2026-11-01-broken", {}, "\n## One\n\n> [!agent]\n> needle\n");
  repo.place("2026-11-02-fine", { started: "2026-11-02T10:00:00Z" }, "\n## One\n\n> [!agent]\n> needle\n");
  expect((await repo.json<{ hits: unknown[] }>("search", "needle")).hits).toHaveLength(2);
  writeFileSync(repo.path("2026-11-01-broken"), "garbage");
  const { code, stdout, stderr } = await repo.run(["search", "needle", "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect((JSON.parse(stdout) as { hits: { session_id: string }[] }).hits).toMatchObject([
    { session_id: "2026-11-02-fine" },
  ]);
});

test("S11 showing it is enough for lists to tell, and showing it mended brings it back", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Broken");
  await repo.log(id, { kind: "text", text: "hello" });
  await repo.clew("session", "end", id);
  await repo.clew("session", "list");
  const whole = repo.read(id);
  writeFileSync(repo.path(id), whole.replace("status: completed", "status: undecided"));
  expect((await repo.refused(["session", "show", id])).code).toBe("damaged_session");
  expect((await list(repo)).unreadable).toMatchObject([{ path: repo.path(id) }]);
  writeFileSync(repo.path(id), whole);
  expect(textsOf(await repo.show(id))).toEqual(["hello"]);
  expect(await list(repo)).toMatchObject({ sessions: [{ session_id: id }], unreadable: [] });
});

test("S12 an entry that was logged before the damage is still there when the file is mended", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Broken");
  await repo.log(id, { kind: "text", text: "one" }, { kind: "text", text: "two" });
  const early = repo.read(id).split("\n> [!agent]\n> two")[0]!;
  writeFileSync(repo.path(id), "garbage\n");
  await repo.clew("session", "list");
  writeFileSync(repo.path(id), early);
  await repo.clew("session", "log", "text", "three", "-s", id);
  expect(textsOf(await repo.show(id))).toEqual(["one", "two", "three"]);
});

test("S12 what else lies in the sessions folder is no session, and stays where it is", async () => {
  using repo = new Repo();
  repo.place("2026-11-01-fine");
  const folder = join(repo.root, ".clew/sessions");
  mkdirSync(join(folder, "drafts"));
  for (const name of ["notes", "README", "drafts/todo.txt"]) writeFileSync(join(folder, name), "mine\n");
  expect(await list(repo)).toMatchObject({ sessions: [{ session_id: "2026-11-01-fine" }], unreadable: [] });
  await repo.run(["doctor", "--repair"]);
  for (const name of ["notes", "README", "drafts/todo.txt"])
    expect([name, existsSync(join(folder, name))]).toEqual([name, true]);
  expect((await repo.refused(["session", "show", "notes"])).code).toBe("unknown_session");
  expect(await repo.json("index", "check")).toMatchObject({ sessions: 1 });
});

test("S12 ids and names with path tricks are refused before they become paths", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Here");
  for (const id of ["../../etc", "..", "a/../../b", "UPPER", "a b", "x".repeat(300), "\u202e"]) {
    const { code } = await repo.refused(["session", "delete", "--yes", id]);
    expect([id, ["invalid_id", "unknown_session"].includes(code)]).toEqual([id, true]);
  }
  expect(existsSync(join(repo.root, ".git/HEAD"))).toBe(true);
});

const emptied: [name: string, bytes: string][] = [
  ["nothing", ""],
  ["blanks", "\n \t\n"],
  ["zeros", "\0".repeat(100)],
];

test.each(emptied)(
  "S7 a session.md with %s in it is read from its copy, and comes back with whoever writes",
  async (_, bytes) => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Emptied");
    await repo.log(id, { kind: "phase", title: "One" }, { kind: "decision", text: "Keep it" });
    for (const again of [
      ["session", "log", "text", "more"],
      ["session", "show", id],
      ["session", "list"],
      ["doctor", "--repair"],
    ]) {
      writeFileSync(repo.path(id), bytes);
      await repo.clew(...again);
      expect([again[1], textsOf(await repo.show(id))]).toEqual([again[1], ["Keep it", "more"]]);
      const isWriter = again[1] === "log" || again[1] === "--repair";
      expect([again[1], repo.read(id).includes("> Keep it")]).toEqual([again[1], isWriter]);
    }
  },
);

test("S7 where there is no copy, nobody is told that there is one", async () => {
  using repo = new Repo();
  repo.place("2026-11-01-alone");
  writeFileSync(repo.path("2026-11-01-alone"), "");
  for (const args of [
    ["session", "show"],
    ["session", "log", "text", "x", "-s"],
  ]) {
    const { code, hint } = await repo.refused([...args, "2026-11-01-alone"]);
    expect([code, hint]).toEqual(["damaged_session", "open the file and mend that line; nothing was changed"]);
  }
});
