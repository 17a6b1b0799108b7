import { expect, test } from "vitest";
import { told, write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";
import type { Problem } from "../../src/contract/problem.ts";

const head = "---\ntype: workflow\n---\n# Does it\n\n";
const check = "## Check @sh ?\n\n```sh\nnpm test\n```\n\n";

async function problems(text: string): Promise<[string[], (string | undefined)[]]> {
  using repo = new RunRepo("- {name: unused, type: script, command: 'true'}");
  write(repo, "flow.md", head + text);
  const { stdout } = await repo.run(["grimoire", "validate", "flow.md", "--json"]);
  const { grimoires } = JSON.parse(stdout) as { grimoires: { problems: Problem[] }[] };
  const all = grimoires[0]!.problems;
  return [told(all), all.map(({ hint }) => hint)];
}

test("S13 a condition on a node that is not there is told as that, and words of people stay for people", async () => {
  const mend = "## Mend @coder\n\nMend it.\n";
  expect(await problems(`${check}If Nope.failed → proceed to Mend\n\n${mend}`)).toEqual([
    ["flow.md:12:4 error: there is no node Nope"],
    ["conditions ask for a node by its heading's name"],
  ]);
  expect((await problems(`${check}If Chekc.failed → proceed to Mend\n\n${mend}`))[1]).toEqual(["did you mean Check?"]);
  const [[message]] = await problems(`${check}If what was built looks failed → proceed to Mend\n\n${mend}`);
  expect(message).toContain("is for people");
});

test("S13 a script without code, and a heading with both marks, are told in words that help", async () => {
  expect(await problems("## Check @sh\n\nRuns the tests.\n")).toEqual([
    ["flow.md:6:1 error: a script without code"],
    ["add a sh code block below its heading"],
  ]);
  for (const marks of ["!?", "? !"])
    expect(await problems(`${check}## Mend @coder ${marks}\n\nMend it.\n`)).toEqual([
      [expect.stringMatching(/^flow\.md:12:\d+ error: more than one mark$/)],
      ["a node has one: ! or ?"],
    ]);
  expect((await problems("## Mend it?! @coder\n\nMend it.\n"))[0]).toEqual([]);
});

test("S13 a folder in place of a grimoire is told to be looked into", async () => {
  using repo = new RunRepo("- {name: one, type: script, command: 'true'}");
  const { message, hint } = await repo.refused(["grimoire", "convert", "."]);
  expect([message, hint]).toEqual([expect.stringContaining("is a folder, not a file"), "name a file in it"]);
});
