import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo, type Refusal } from "../support/repo.ts";

/** Words that only a schema library uses. */
const libraryWords = /Invalid|expected|received|Too (?:big|small)|Unrecognized|\bzod\b|undefined|NaN/;

test("B.10 a wrong line of a batch is told in our own words, with its place", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Words");
  const wrong: [line: unknown, message: string][] = [
    [5, "must be a mapping"],
    [{}, "kind: must be one of phase, tool"],
    [{ kind: "decison", text: "x" }, "kind: must be one of phase, tool"],
    [{ kind: "text" }, "text: is missing"],
    [{ kind: "text", text: 5 }, "text: must be text"],
    [{ kind: "text", text: "  " }, "text: must not be empty"],
    [{ kind: "text", text: "x", txt: "y" }, "there is no field txt"],
    [{ kind: "tool", name: "", args: "" }, "name: must not be empty"],
    [{ kind: "tool", name: "x".repeat(201), args: "" }, "name: must have at most 200 characters"],
    [{ kind: "tool", name: "a", failed: "yes" }, "failed: must be true or false"],
    [{ kind: "tokens", tokens: 1.5 }, "tokens: must be a whole number"],
    [{ kind: "tokens", tokens: -1 }, "tokens: must be at least 0"],
    [{ kind: "subagent", agent: "a", mode: "both" }, "mode: must be one of inline, link, embed"],
    [{ kind: "tasks", tasks: {} }, "tasks: must be a list"],
    [{ kind: "tasks", tasks: [{ id: "1", content: "x", status: "soon" }] }, "tasks.0.status: must be one of pending"],
  ];
  const input = wrong.map(([line]) => `${JSON.stringify(line)}\n`).join("");
  const { code, stdout } = await repo.run(["session", "log", "--batch", "--json", "-s", id], { input });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { error: Refusal });
  expect(code).toBe(2);
  expect(
    answers.map(({ error }, at) => error.message.startsWith(`line ${at + 1}: ${wrong[at]![1]}`) || error.message),
  ).toEqual(wrong.map(() => true));
  for (const { error } of answers) expect(`${error.message} ${error.hint}`).not.toMatch(libraryWords);
});

test("B.10 who gives a wrong flag hears of flags, and not of lines of JSON", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Flags");
  const form = (command: string): string => `clew session ${command} --help shows the form and an example`;
  const wrong: [args: string[], message: string, hint: string][] = [
    [["log", "phase", ""], "title: must not be empty", form("log phase")],
    [["log", "tool", "two words"], "name: must not contain spaces", form("log tool")],
    [
      ["log", "subagent", "--agent", "a b"],
      "agent: must be NAME or NAME@VERSION, without spaces",
      form("log subagent"),
    ],
    [["log", "tokens", "many"], '<n>: must be a whole number, not "many"', form("log tokens")],
    [["log", "subagent"], "clew session log subagent needs --agent <name[@version]>: who", form("log subagent")],
    [["start"], "clew session start needs <title>: what it is about", form("start")],
    [["list", "-n", "0"], '--limit: must be a whole number from 1 on, not "0"', form("list")],
    [["list", "--nothing"], "unknown option '--nothing'", "clew session list --help lists its options"],
    [["list", "more"], "too many words for clew session list, which takes none", form("list")],
  ];
  for (const [args, message, hint] of wrong) {
    expect(await repo.refused(["session", ...args])).toEqual({
      code: expect.stringMatching(/usage|invalid_input/) as string,
      message,
      hint,
    });
  }
  const { stderr } = await repo.run(["session", "list", "--limit"]);
  expect(stderr).toBe(`error: --limit <n> needs a value: at most so many\n  ${form("list")}\n`);
});

test("B.10 frontmatter that is no YAML is told in our own words", async () => {
  using repo = new Repo();
  const wrong: [line: string, message: string][] = [
    ["x: [a", "a list in [] is never closed"],
    ["x: {a: 1", "a mapping in {} is never closed"],
    ["x: 1\nx: 2", "stands there a second time and says something else"],
    ['x: "a', "a quote is never closed"],
    ["x: a: b", "a list or mapping begins behind a key"],
    ["x: @a", "text must not begin with this character"],
    ["x: *nobody", "an alias (*name) stands before its &name"],
    ["x: [a b: c d: e]", "a second colon, or lines of a list"],
  ];
  for (const [at, [line, message]] of wrong.entries()) {
    const id = `2026-11-01-wrong-${at}`;
    repo.place(id, {}, "");
    writeFileSync(repo.path(id), repo.read(id).replace("type:", `${line}\ntype:`));
    const refused = await repo.refused(["session", "show", id]);
    expect([line, refused.message]).toEqual([line, expect.stringContaining(message)]);
    expect(refused.message).not.toMatch(/flow|implicit|scalar|token|unresolved|indicator/i);
  }
});

test("B.10 wrong frontmatter and a wrong start are told in our own words", async () => {
  using repo = new Repo();
  repo.place("2026-11-01-a", { tokens_used: "many", participants: "me" });
  const { message } = await repo.refused(["session", "show", "2026-11-01-a"]);
  expect(message).toContain("frontmatter: participants: must be a list");
  expect(message).not.toMatch(libraryWords);
  const start = await repo.refused(["session", "start", "x", "--agent", "two words"]);
  expect(start.message).toBe("agent: must be NAME or NAME@VERSION, without spaces");
});

test("B.10 texts that say nothing are refused", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Texts");
  for (const kind of ["text", "decision", "error", "user", "decision_needed", "task_complete"]) {
    for (const text of ["", "  ", "\n\t"]) {
      expect([kind, (await repo.refused(["session", "log", kind, text])).message]).toEqual([
        kind,
        "text: must not be empty",
      ]);
    }
  }
  expect((await repo.refused(["session", "log", "text", "-"], { input: "\n" })).message).toBe(
    "text: must not be empty",
  );
  for (const title of ["", " "]) {
    expect((await repo.refused(["session", "start", title])).message).toBe("title: must not be empty");
    expect((await repo.refused(["bead", "create", title])).message).toMatch(/title/);
    await repo.refused(["session", "rename", "latest", title]);
  }
});

test("B.10 without a terminal, a session is deleted only with --yes", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Keep me");
  expect(await repo.refused(["session", "delete", id])).toMatchObject({
    code: "usage",
    hint: `clew session delete ${id} --yes`,
  });
  await repo.clew("session", "delete", id, "--yes");
  expect(await repo.clew("session", "list")).toContain("No sessions");
});

test("B.10 a time ago is taken where a date is", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Today");
  repo.place("2020-01-01-old", { started: "2020-01-01T10:00:00Z" });
  for (const since of ["1d", "2w", "12h", "today", "yesterday"]) {
    const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list", "--since", since);
    expect(sessions.map(({ session_id }) => session_id)).toEqual([id]);
  }
  for (const since of ["1x", "d", "2026-02-30", "0d", "soon"]) {
    expect((await repo.refused(["session", "list", "--since", since])).message).toContain("2026-11-01");
  }
  const day = 86_400_000;
  for (const [due, ms] of [
    ["2w", 14 * day],
    ["+1d", day],
    ["1d", day],
  ] as const) {
    const { bead } = await repo.json<{ bead: { due_at: string } }>("bead", "create", "Later", "--due", due);
    expect(Math.abs(Date.parse(bead.due_at) - Date.now() - ms)).toBeLessThan(day / 2);
  }
});

test("B.10 grimoire list and validate count the same errors, and errors of form hide no others", async () => {
  using repo = new Repo();
  mkdirSync(join(repo.root, ".clew/grimoires"), { recursive: true });
  const write = (name: string, text: string): void =>
    writeFileSync(join(repo.root, `.clew/grimoires/${name}.yaml`), text);
  write(
    "bad",
    `name: bad
description: Much is wrong
timeout: soon
steps:
  - {name: one, type: script, command: 'echo {{.nope}}', on_fail: maybe}
  - {name: two, type: script, comand: ls, shell: zsh}
  - {name: three, type: agent, spell: missing-spell, timeout: 5}
  - {name: four, type: script, command: 'echo {{if}}', timeout: never}
`,
  );
  write(
    "unknown",
    `name: unknown\ndescription: x\nsteps:\n  - {name: one, type: script, command: 'echo {{.bead.titel}}'}\n`,
  );
  const { grimoires } = await repo.json<{ grimoires: { name: string; errors: number }[] }>("grimoire", "list");
  const { stdout } = await repo.run(["grimoire", "validate", "--json"]);
  const checked = (
    JSON.parse(stdout) as { grimoires: { name: string; problems: { severity: string; message: string }[] }[] }
  ).grimoires;
  const counts = checked.map(({ name, problems }) => [
    name,
    problems.filter(({ severity }) => severity === "error").length,
  ]);
  expect(grimoires.map(({ name, errors }) => [name, errors])).toEqual(counts);
  expect(counts.slice(0, 2)).toEqual([
    ["bad", 9],
    ["unknown", 1],
  ]);
  const messages = checked[0]!.problems.map(({ message }) => message).join("\n");
  for (const part of [
    "timeout: must be",
    ".nope",
    "unknown key comand",
    "shell: must",
    "missing-spell",
    "on_fail: must",
    "missing value for if",
  ]) {
    expect(messages).toContain(part);
  }
});
