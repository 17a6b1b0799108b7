import { readFileSync, symlinkSync, writeFileSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AddedHistory, ConvertedGrimoire } from "../../src/contract/api/grimoire.ts";
import { write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";

const yaml = `name: flow
description: A flow.
steps:
  - name: look
    type: script
    command: echo look
    output: found
    on_fail: continue
  - name: tell
    type: agent
    when: "{{.look.success}}"
    agent: teller
    spell: |
      Tell it.
      {{.found}}
    input:
      found: "{{.look.output}}"
    outputs:
      - "words::Text"
`;

const loopy = `name: loopy
description: Has all.
steps:
  - name: again
    type: loop
    steps:
      - {name: work, type: agent, spell: implement, requires: [{match: npm test}], on_success: exit_loop}
  - {name: land, type: merge}
`;

class FileRepo extends RunRepo {
  constructor() {
    super("- {name: unused, type: script, command: 'true'}");
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }
}

test("S13 a grimoire becomes markup and YAML again, the same bytes", async () => {
  using repo = new FileRepo();
  write(repo, "flow.yaml", yaml);
  expect(await repo.clew("grimoire", "convert", "flow.yaml", "-o", "flow.md")).toBe("Wrote flow.md");
  expect(repo.text("flow.md")).toContain("If look.success → proceed to tell\n");
  await repo.clew("grimoire", "convert", "flow.md", "--to", "yaml", "-o", "again.yaml");
  expect(repo.text("again.yaml")).toBe(yaml);
  const { message } = await repo.refused(["grimoire", "convert", "flow.yaml", "-o", "flow.md"]);
  expect(message).toContain("is there already");
});

test("S13 convert says what a form cannot express", async () => {
  using repo = new FileRepo();
  write(repo, "loopy.yaml", loopy);
  const { losses, text } = await repo.json<ConvertedGrimoire>("grimoire", "convert", "loopy.yaml");
  expect(losses).toEqual([
    {
      step: "again",
      message:
        "loops exist in the grimoire form only: its steps stand there to run once, without max_iterations, on_max_iterations",
    },
    { step: "work", message: "gates exist in the grimoire form only: requires is left out" },
    { step: "land", message: "merges exist in the grimoire form only: the step is left out" },
  ]);
  expect(text).toContain("## work\n");
  const { stderr } = await repo.run(["grimoire", "convert", "loopy.yaml"]);
  expect(stderr).toContain("left out: land: merges exist in the grimoire form only");

  write(
    repo,
    "talk.md",
    "---\ntype: workflow\n---\nFor people.\n\n## Say @sh #team\n\nA note.\n\n```sh\necho hi\n```\n",
  );
  const back = await repo.json<ConvertedGrimoire>("grimoire", "convert", "talk.md");
  expect(back.losses).toEqual([
    { message: "the text before the first node" },
    { step: "Say", message: "the channel #team" },
    { step: "Say", message: "its text beside the spell or script" },
  ]);
  write(repo, "bad.md", "---\ntype: workflow\n---\n## A\n\nA → B\n");
  expect(await repo.refused(["grimoire", "convert", "bad.md"])).toMatchObject({
    code: "invalid_grimoire",
    message: "bad.md:6:5: there is no node B",
  });
});

const workflow = "---\ntype: workflow\n---\n# Says hi\n\n## Say @sh\n\n```sh\necho hi\n```\n";

test.each([
  ["as it is", workflow],
  ["without an end of line", workflow.trimEnd()],
  ["with CRLF and a byte order mark", `\uFEFF${workflow.replaceAll("\n", "\r\n")}`],
])("S13 history appends each run once, and keeps a file %s byte for byte", async (_, text) => {
  using repo = new FileRepo();
  writeFileSync(join(repo.root, "say.md"), text);
  await repo.clew("run", "proj-1", "--grimoire", "say.md");
  expect(repo.text("say.md")).toBe(text);
  const before = await repo.json("grimoire", "show", "say.md");
  const id = await repo.runId();
  expect(await repo.json<AddedHistory>("grimoire", "history", "say.md", "latest", id)).toEqual({
    file: "say.md",
    added: [id],
    known: [],
  });
  const after = repo.text("say.md");
  expect(after.startsWith(text)).toBe(true);
  const block = after.slice(text.length).replaceAll("\r\n", "\n");
  expect(block).toContain(`\n\`\`\`session-toon\nrun: ${id}\nbead: proj-1\nstatus: completed\n`);
  expect(block).toMatch(/steps\[1\]\{node,attempt,status,duration_ms,summary\}:\n {2}Say,1,succeeded,\d+,null\n```\n$/);
  expect(await repo.clew("grimoire", "history", "say.md", id)).toBe(`${id} stood there already`);
  expect(repo.text("say.md")).toBe(after);
  // What would run is the same.
  expect((await repo.json("grimoire", "show", "say.md"))["grimoire"]).toEqual(before["grimoire"]);
});

test("S13 history refuses runs of another workflow, files that are none, and open code blocks, and writes nothing", async () => {
  using repo = new FileRepo();
  write(repo, "say.md", workflow);
  await repo.clew("run", "proj-1", "--grimoire", "say.md");
  const id = await repo.runId();
  write(repo, "other.md", `${workflow}\n## More @sh\n\n\`\`\`sh\ntrue\n\`\`\`\n`);
  expect((await repo.refused(["grimoire", "history", "other.md", id])).message).toBe(
    `run ${id} was one of say, and other.md is other`,
  );
  expect((await repo.refused(["grimoire", "history", "none.md", id])).message).toBe("there is no file none.md");
  expect((await repo.refused(["grimoire", "history", "flow.yaml", id])).code).toBe("invalid_input");
  expect((await repo.refused(["grimoire", "history", "say.md", "nope"])).code).toBe("unknown_run");
  write(repo, "say.md", `${workflow}\n~~~\nopen`);
  expect(await repo.refused(["grimoire", "history", "say.md", id])).toMatchObject({
    code: "invalid_grimoire",
    message: "say.md ends inside a code block or its frontmatter",
  });
  expect(repo.text("say.md")).toBe(`${workflow}\n~~~\nopen`);
});

test("S13 history follows a link and leaves it one", async () => {
  using repo = new FileRepo();
  write(repo, "real/say.md", workflow);
  symlinkSync("real/say.md", join(repo.root, "say.md"));
  await repo.clew("run", "proj-1", "--grimoire", "say.md");
  await repo.clew("grimoire", "history", "say.md", "latest");
  expect(lstatSync(join(repo.root, "say.md")).isSymbolicLink()).toBe(true);
  expect(repo.text("real/say.md")).toContain("session-toon");
});
