import { describe, expect, test } from "vitest";
import { widthOf } from "../../src/cli/terminal/width.ts";
import { write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

const workflow = "---\ntype: workflow\n---\n# Says hi\n\n## Say @sh\n\n```sh\necho hi\n```\n";

class NamesRepo extends RunRepo {
  constructor() {
    super("- {name: unused, type: script, command: 'true'}");
    write(this, "fix-login.md", workflow);
    write(this, ".clew/grimoires/mend-the-page.md", workflow);
    write(this, "package.json", '{"name": "it", "version": "1.0.0"}');
  }
}

test("S13 a misspelt file is answered with the nearest one, and a file of another kind in plain words", async () => {
  using repo = new NamesRepo();
  expect(await repo.refused(["run", "proj-1", "--grimoire", "fix-logn.md"])).toMatchObject({
    message: "there is no file fix-logn.md",
    hint: "did you mean fix-login.md?",
  });
  expect(await repo.refused(["grimoire", "convert", ".clew/grimoires/mend-the-pge.md"])).toMatchObject({
    hint: "did you mean .clew/grimoires/mend-the-page.md?",
  });
  expect(await repo.refused(["grimoire", "preview", "mend-the-pag.md", "--bead", "proj-1"])).toMatchObject({
    hint: "did you mean mend-the-page?",
  });
  expect(await repo.refused(["grimoire", "convert", "package.json"])).toMatchObject({
    message: "package.json is no grimoire",
    hint: "a grimoire is YAML with name, description and steps (.yaml), or workflow markup (.md)",
  });
  expect(await repo.refused(["grimoire", "convert", "nosuch.json"])).toMatchObject({
    message: "there is no file nosuch.json",
  });
});

describe.runIf(hasTerminals)("S13 on a terminal of 80 columns", () => {
  test("S13 a long path in the list keeps its beginning and its end", async () => {
    using repo = new NamesRepo();
    write(repo, ".clew/grimoires/mend-the-login-of-the-old-page.md", workflow);
    const { lines } = await onTerminal(repo, ["grimoire", "list"]);
    expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(lines.join("\n")).toMatch(/ \.\S*…\S*age\.md /);
  });

  test("S13 what convert leaves out is broken between words", async () => {
    using repo = new NamesRepo();
    const { lines } = await onTerminal(repo, ["grimoire", "convert", "implement-bead", "-o", "out.md"]);
    expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
    expect(lines.join(" ")).toContain("its steps stand there to run once, without max_iterations, on_max_iterations");
  });
});
