import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

test("B.10 clew help COMMAND… is the same as COMMAND… --help, also behind a command that has others", async () => {
  using repo = new Repo();
  const same: [asked: string[], meant: string[]][] = [
    [["help"], ["--help"]],
    [["help", "--help"], ["--help"]],
    [
      ["help", "run"],
      ["run", "--help"],
    ],
    [
      ["help", "run", "approve"],
      ["run", "approve", "--help"],
    ],
    [
      ["run", "help"],
      ["run", "--help"],
    ],
    [
      ["run", "help", "approve"],
      ["run", "approve", "--help"],
    ],
    [
      ["bead", "help", "create"],
      ["bead", "create", "--help"],
    ],
    [
      ["session", "log", "help"],
      ["session", "log", "--help"],
    ],
    [
      ["inbox", "help"],
      ["inbox", "--help"],
    ],
  ];
  await Promise.all(
    same.map(async ([asked, meant]) => expect(await repo.clew(...asked)).toBe(await repo.clew(...meant))),
  );
  expect(await repo.refused(["help", "rnu"])).toMatchObject({ code: "usage", hint: "did you mean run?" });
  expect(await repo.refused(["help", "run", "merge"])).toMatchObject({ hint: "did you mean approve?" });
});

test.runIf(hasTerminals)("B.10 every page of help fits 80 columns, in our own words", async () => {
  using repo = new Repo();
  const pages = [
    [],
    ["session"],
    ["session", "list"],
    ["bead", "create"],
    ["run"],
    ["daemon", "run"],
    ["spell", "render"],
  ];
  for (const words of pages) {
    const { lines } = await onTerminal(repo, [...words, "--help"], { columns: 80, rows: 200 });
    expect([words, lines.filter((line) => line.length > 80)]).toEqual([words, []]);
    expect(lines.join("\n")).not.toMatch(/choices:|display help/);
    // No example is broken.
    const examples = lines
      .slice(lines.findIndex((line) => /^Examples?:/.test(line)) + 1)
      .filter((line) => line.startsWith(" "));
    expect(examples.filter((line) => !line.startsWith("  $ "))).toEqual([]);
  }
});

test("B.10 a text or a bead may be called help", async () => {
  using repo = new Repo();
  expect(await repo.clew("session", "start", "help")).toMatch(/-help$/);
  await repo.clew("session", "log", "text", "help");
  expect(await repo.clew("search", "help")).toContain("help");
  expect((await repo.run(["run", "--", "help"])).stderr).toMatch(/^error: there are no beads/);
});

test("B.10 clew version prints what --version prints", async () => {
  using repo = new Repo();
  const version = await repo.clew("--version");
  expect(await repo.clew("version")).toBe(version);
  expect(await repo.json("version")).toEqual({ version });
});

test("a word from another program leads to the command that does it, and the help that lists them is named in full", async () => {
  using repo = new Repo();
  const hints: [args: string[], hint: string][] = [
    [["bead", "add", "x"], "did you mean create?"],
    [["bead", "new", "x"], "did you mean create?"],
    [["bead", "rm", "x"], "did you mean delete?"],
    [["bead", "edit", "x"], "did you mean update?"],
    [["bead", "remove", "x"], "did you mean delete?"],
    [["bead", "frobnicate", "x"], "clew bead --help lists the commands"],
    [["run", "merge", "latest"], "did you mean approve?"],
    [["frobnicate"], "clew --help lists the commands"],
    [["session", "list", "--limit", "none"], "clew session list --help shows the form and an example"],
  ];
  for (const [args, hint] of hints)
    expect([args, await repo.refused(args)]).toEqual([args, expect.objectContaining({ code: "usage", hint })]);
});

test("a title that was not quoted is quoted in the hint", async () => {
  using repo = new Repo();
  expect(await repo.refused(["bead", "create", "fix", "login", "-p", "1"])).toEqual({
    code: "usage",
    message: "too many words for clew bead create, which takes <title>",
    hint: 'quote the title: clew bead create "fix login"',
  });
  expect((await repo.refused(["session", "rename", "latest", "don't", "$HOME"])).hint).toBe(
    `quote the title: clew session rename latest 'don'\\''t $HOME'`,
  );
  expect((await repo.refused(["run", "show", "a", "b"])).hint).toBe(
    "clew run show --help shows the form and an example",
  );
});
