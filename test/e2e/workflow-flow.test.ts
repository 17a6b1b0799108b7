import { expect, test } from "vitest";
import type { CheckedGrimoire } from "../../src/contract/api/grimoire.ts";
import { told, write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";
import { showRun } from "../support/runs.ts";

const head = "---\ntype: workflow\n---\n";
const sh = (heading: string, command = "true", below = ""): string =>
  `## ${heading}\n\n\`\`\`sh\n${command}\n\`\`\`\n\n${below}`;

class FlowRepo extends RunRepo {
  constructor(text: string) {
    super("- {name: unused, type: script, command: 'true'}");
    write(this, "flow.md", head + text);
  }

  async problems(): Promise<{ told: string[]; hints: string }> {
    const { stdout } = await this.run(["grimoire", "validate", "flow.md", "--json"]);
    const { problems } = (JSON.parse(stdout) as { grimoires: CheckedGrimoire[] }).grimoires[0]!;
    return { told: told(problems), hints: problems.map(({ hint }) => hint).join("\n") };
  }

  async steps(): Promise<string[]> {
    await this.run(["run", "proj-1", "--grimoire", "flow.md"]);
    return (await showRun(this)).steps.map(({ path, status }) => `${path} ${status}`);
  }
}

const branches = "If S.success → proceed to P\nOtherwise → proceed to Q\n\n";

test.each([
  ["true", ["S succeeded", "P succeeded", "Q skipped"]],
  ["exit 3", ["S failed", "P skipped", "Q succeeded"]],
])("S13 a condition decides where a line of the flow joins the same nodes (%s)", async (command, steps) => {
  using repo = new FlowRepo(`S → P, Q\n\n${sh("S @sh ?", command, branches)}${sh("P @sh")}${sh("Q @sh")}`);
  expect((await repo.problems()).told).toEqual([]);
  expect(await repo.steps()).toEqual(steps);
});

test("S13 what follows a failure that ends the run is warned of", async () => {
  const below = "If S.failed → proceed to P\n\n";
  using repo = new FlowRepo(
    `${sh("S @sh", "true", below)}${sh("P @sh !", "true", branches.replaceAll("S", "P").replace("to P", "to R"))}${sh("Q @sh")}${sh("R @sh")}`,
  );
  const { told: said, hints } = await repo.problems();
  expect(said).toEqual([
    "flow.md:10:4 warning: S.failed never holds: when S fails, the run blocks",
    "flow.md:19:24 warning: Otherwise never holds: when P fails, the run fails",
  ]);
  expect(hints).toContain("write ? at the end of the heading of S");
});

test("S13 a mark that is not at the heading's end is an error, and no part of the name", async () => {
  using repo = new FlowRepo(`${sh("Build! @sh")}${sh("Ask ? @sh")}`);
  const { told: said, hints } = await repo.problems();
  expect(said).toEqual([
    "flow.md:4:9 error: the name ends in !: a mark stands at the heading's end",
    "flow.md:10:7 error: the name ends in ?: a mark stands at the heading's end",
  ]);
  expect(hints).toContain("write ## Build @agent #channel !");
});

test("S13 run and convert tell every error, as validate does, and none that only follows from another", async () => {
  using repo = new FlowRepo("## Build @coder @sh\n\nDo it.\n\n## Test! @sh\n\nIt.\n");
  const all = [
    "flow.md:4:10: @coder is a second agent",
    "flow.md:8:8: the name ends in !: a mark stands at the heading's end",
  ];
  expect((await repo.problems()).told).toEqual(all.map((each) => each.replace(/: (?=[@t])/, " error: ")));
  for (const args of [
    ["grimoire", "convert", "flow.md"],
    ["run", "proj-1", "--grimoire", "flow.md"],
  ])
    expect((await repo.refused(args)).message).toBe(all.join("\n"));
});

test("S13 arrows between things that are no nodes say how data and text are written", async () => {
  using repo = new FlowRepo(
    `config → params\n\nraw.csv → loaded::DataFrame\n\nTransforms markdown → AST.\n\n${sh("Load @sh")}Load → out::Text\n`,
  );
  const { told: said, hints } = await repo.problems();
  expect(said).toEqual([
    "flow.md:4:1 error: an arrow leads from node to node, and these are no nodes: config → params",
    "flow.md:6:1 error: an arrow leads from node to node, and these are no nodes: raw.csv → loaded::DataFrame",
    "flow.md:8:1 error: an arrow leads from node to node, and these are no nodes: Transforms markdown → AST.",
    "flow.md:16:8 error: there is no node out::Text",
  ]);
  expect(hints).toContain("for data, write Takes config → creates: and a list below the node's heading");
  expect(hints).toContain("for text, put it in `code` or in a list");
});

test("S13 nodes are found without regard to case where only one is meant", async () => {
  const text = `first → SECOND\n\n${sh("First @sh ?", "exit 3", "If first.Failed → proceed to second\n\n".replace("Failed", "failed"))}${sh("Second @sh")}`;
  using repo = new FlowRepo(text);
  expect((await repo.problems()).told).toEqual([]);
  expect(await repo.steps()).toEqual(["First failed", "Second succeeded"]);
  using two = new FlowRepo(`a → B\n\n${sh("A @sh")}${sh("B @sh")}${sh("b @sh")}`);
  expect((await two.problems()).told).toEqual([]);
  using unclear = new FlowRepo(`A → bb\n\n${sh("A @sh")}${sh("Bb @sh")}${sh("bB @sh")}`);
  expect((await unclear.problems()).told).toEqual(["flow.md:4:5 error: there is no node bb"]);
});

test("S13 Otherwise → skip leads nowhere, and is an error where a node follows all the same", async () => {
  const below = "If S.success → proceed to P\nOtherwise → skip\n\n";
  using repo = new FlowRepo(`${sh("S @sh ?", "exit 3", below)}${sh("P @sh")}`);
  expect((await repo.problems()).told).toEqual([]);
  expect(await repo.steps()).toEqual(["S failed", "P skipped"]);
  using void_ = new FlowRepo(`${sh("S @sh ?", "exit 3", "If S.failed → end\n\n")}${sh("P @sh")}S → P\n`);
  const { told: said, hints } = await void_.problems();
  expect(said).toEqual(["flow.md:10:15 error: this way does not end here: S → P has no condition"]);
  expect(hints).toContain("write Otherwise → proceed to P");
  using words = new FlowRepo(`${sh("S @sh ?", "exit 3", below.replace("skip", "skip to next file"))}${sh("P @sh")}`);
  const unknown = await words.problems();
  expect(unknown.told).toEqual(["flow.md:11:13 error: there is no node skip to next file"]);
  expect(unknown.hints).toContain("where nothing follows, write → skip");
});
