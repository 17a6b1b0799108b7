import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { outcomeOf, Repo, type Outcome } from "../support/repo.ts";

/** Long after any command is done, and long before one ends that takes the square of the time on these texts. */
const hangMs = 30_000;

async function ends(repo: Repo, args: string[]): Promise<Outcome> {
  const child = repo.start(args);
  child.stdin!.end();
  const guard = setTimeout(() => child.kill("SIGKILL"), hangMs);
  const outcome = await outcomeOf(child);
  clearTimeout(guard);
  return outcome;
}

/** Pieces of which a long row made some reader try again from each of them. */
const pieces = {
  dashes: "-",
  dividers: "------\t",
  "backslashes and a return": "\\".repeat(500) + "&#13;x ",
  blanks: " ",
  "fences that nobody closes": "```a\n",
  "ticks of every length": `> [!agent]\n> ${Array.from({ length: 60 }, (_, at) => `${"`".repeat(63 - at)}a`).join("")}\\*\n\n`,
  "fences of every length": Array.from({ length: 60 }, (_, at) => `${"`".repeat(63 - at)}a\n`).join(""),
  "fences below calls": "**Tool calls:**\n- `a`\n  ```\n\n",
  "comments that nobody closes": '<!-- clew {"a":1}\n',
  "quotes in quotes": "> [!agent]\n> > \n\n",
  "open brackets": "[",
  accents: "e\u0301",
  "half entities": "> [!agent]\n> &#&#&#&#\n\n",
  "code spans": "`a` ",
};

test.for(Object.entries(pieces))("S12 a session of %s hangs no command", async ([, row]) => {
  using repo = new Repo();
  const text = row.repeat(Math.ceil(300_000 / row.length));
  repo.place("2026-11-01-hostile", {}, `\n## Work\n\n${text}x\n\n## More ${text.replaceAll("\n", " ")}x\n`);
  for (const args of [
    ["session", "show", "2026-11-01-hostile"],
    ["session", "list"],
    ["search", "needle"],
    ["session", "resume", "2026-11-01-hostile"],
  ]) {
    expect([args, (await ends(repo, args)).code]).toEqual([args, 0]);
  }
});

test.for(["]", "{}", '"', "&a ", " #", "-", "{{", "x="])(
  "S12 frontmatter, settings and grimoires of %j hang no command",
  async (piece) => {
    using repo = new Repo();
    const text = piece.repeat(100_000 / piece.length);
    repo.place("2026-11-01-hostile");
    writeFileSync(repo.path("2026-11-01-hostile"), `---\ntitle: ${text}\n---\n`);
    write(repo, ".clew/grimoires/hostile.yaml", `name: ${text}\nsteps:\n  - id: a\n    command: ${text}\n`);
    write(
      repo,
      ".clew/grimoires/quoted.yaml",
      `name: quoted\nsteps:\n  - id: a\n    type: script\n    command: |\n      ${text}\n`,
    );
    write(repo, ".beads/config.yaml", `issue-prefix: a${text}b\n`);
    write(repo, ".beads/issues.jsonl", `{"id":"a-1","title":"${text}\n${text}\n`);
    for (const args of [
      ["session", "list"],
      ["grimoire", "list"],
      ["grimoire", "show", "quoted"],
      ["bead", "list"],
    ]) {
      expect([args, (await ends(repo, args)).code]).toEqual([args, expect.any(Number)]);
    }
  },
);

test("G11 a pattern of what to copy that fits nothing hangs no command", async () => {
  const { findCopies } = await import("../../src/adapters/git/worktrees/find-copies.ts");
  using repo = new Repo();
  writeFileSync(join(repo.root, "a".repeat(250)), "");
  expect(findCopies(repo.root, [`${"*a".repeat(40)}*b`]).copies).toEqual([]);
  expect(findCopies(repo.root, [`${"*a".repeat(40)}*`]).copies).toHaveLength(1);
  expect(findCopies(repo.root, ["**/**/.git/**/**/**/nothing"]).copies).toEqual([]);
});
