import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";

const steps = "- {name: one, type: script, command: echo hi > new.txt}";
const nothingLands = "warning: no merge step runs: what a run changes stays in its worktree";

test("G12 a run without a merge says where its work lies, and the commands that it names land it", async () => {
  using repo = new RunRepo(steps);
  const { code, stdout } = await repo.run(["run", "proj-1"]);
  expect(code).toBe(0);
  const shown = await repo.clew("run", "show", "latest");
  for (const text of [stdout, shown]) {
    expect(text).toContain("nothing landed: no merge step ran, and what the run changed is not committed");
    expect(text).toContain("a grimoire that ends with a step of type: merge lands its work itself");
  }
  const commands = [...shown.matchAll(/^ {4}(git .*?) {2,}(?:commit it|land it)/gm)].map(([, command]) => command!);
  expect(commands).toHaveLength(2);
  for (const command of commands) execFileSync("sh", ["-c", command], { cwd: repo.root, stdio: "ignore" });
  expect(repo.git("show", "HEAD:new.txt")).toBe("hi\n");
  expect(await repo.clew("run", "show", "latest")).not.toContain("nothing landed");
});

test("G12 a run that committed its work itself is told to be merged, and one that changed nothing is told nothing", async () => {
  using repo = new RunRepo(
    "- {name: one, type: script, command: echo hi > new.txt; git add new.txt; git commit -qm one}",
  );
  const { stdout } = await repo.run(["run", "proj-1"]);
  expect(stdout).toMatch(/what the run changed is on its branch,\s+clew\//);
  expect(stdout).not.toContain("add -A");
  using other = new RunRepo("- {name: one, type: script, command: echo hi}");
  expect((await other.run(["run", "proj-1"])).stdout).not.toContain("nothing landed");
});

test("G12 preview, validate and convert warn of a grimoire that lands nothing, and it stays valid", async () => {
  using repo = new RunRepo(steps);
  const preview = await repo.clew("grimoire", "preview", "--bead", "proj-1");
  expect(preview).toContain(nothingLands);
  expect(preview).toContain("Ready to run");
  expect(await repo.json("grimoire", "preview", "--bead", "proj-1")).toMatchObject({ lands: false, valid: true });
  expect(await repo.clew("grimoire", "validate", "flow")).toContain(nothingLands);
  const { code, stderr } = await repo.run(["grimoire", "convert", "flow", "-o", "flow.md"]);
  expect([code, stderr.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining("no merge step runs")]);
  const way = "clew grimoire convert flow.md --to yaml, and end it with a step of type: merge";
  expect(await repo.clew("grimoire", "validate", "flow.md")).toContain(way);
  write(
    repo,
    ".clew/grimoires/flow.yaml",
    `name: flow\ndescription: D.\nsteps:\n  ${steps}\n  - {name: land, type: merge}\n`,
  );
  expect(await repo.clew("grimoire", "preview", "--bead", "proj-1")).not.toContain(nothingLands);
});
