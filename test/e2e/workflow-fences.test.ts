import { expect, test } from "vitest";
import type { AgentStep, ScriptStep, Step } from "../../src/contract/grimoire.ts";
import { readGrimoire } from "../../src/grimoire/definition/read-grimoire.ts";
import { readWorkflow } from "../../src/grimoire/markup/read-workflow.ts";
import { writeMarkup } from "../../src/grimoire/markup/write-markup.ts";
import { readMarkup } from "../../src/grimoire/markup/read-markup.ts";
import { Repo } from "../support/repo.ts";
import { write } from "../support/grimoires.ts";

// Where blocks of code and comments end, as CommonMark says it.

const head = "---\ntype: workflow\n---\n# Fences\n\n";

/** The steps of a workflow, as the program converts it. */
async function stepsOf(text: string): Promise<Step[]> {
  using repo = new Repo();
  write(repo, "flow.md", head + text);
  const { stdout } = await repo.run(["grimoire", "convert", "flow.md"]);
  return readGrimoire(stdout, "flow.yaml").grimoire!.steps;
}

async function refusalOf(text: string): Promise<string> {
  using repo = new Repo();
  write(repo, "flow.md", head + text);
  const { code, stdout } = await repo.run(["grimoire", "validate", "flow.md", "--json"]);
  expect(code).toBe(2);
  return stdout;
}

test("S13 a script keeps all of its lines, also a fence that a here-document writes", async () => {
  const script = "cat > x.md <<'EOF'\n    ```\n    code\n    ```\n\t```\n> ```\n``` x\nEOF\necho written\n";
  const [step] = (await stepsOf(`## Write it @sh\n\n\`\`\`sh\n${script}\`\`\`\n`)) as [ScriptStep];
  expect(step.command).toBe(script);
});

test("S13 a spell keeps what stands behind a fence that it quotes", async () => {
  const spell = "Write this:\n> ```\n> a\n> ```\nand then that.\n";
  const [step] = (await stepsOf(`## Write @coder\n\n\`\`\`spell\n${spell}\`\`\`\n`)) as [AgentStep];
  expect(step.spell).toBe(spell);
});

test.each(["> ```json\n> {}\n\n", "- ```\n  x\n\n", "> - ```\n>   x\n\n", "1. ~~~\n\n   x\n", "    ```\n    x\n\n"])(
  "S13 the fence %j, which nothing closes, ends with what it stands in",
  async (open) => {
    const steps = await stepsOf(`## A @coder\n\nSay so:\n\n${open}## B @coder\n\nDo it.\n`);
    expect(steps.map(({ name }) => name)).toEqual(["A", "B"]);
  },
);

test("S13 what stands in a block of code in a quotation or a list is no node", async () => {
  const code = "> ```\n> ## No\n> ```\n\n- ```\n  ## No\n\n  a → b\n  ```\n\n1. ~~~~\n   ```\n   ## No\n   ~~~~\n\n";
  const steps = await stepsOf(`## A @coder\n\nSay so:\n\n${code}## B @coder\n\nDo it.\n`);
  expect(steps.map(({ name }) => name)).toEqual(["A", "B"]);
});

test.each([
  ["<!--\n## Old @sh\n\n```sh\nrm -rf all\n```\n-->\n"],
  ["<!-- ## Old @sh\n\n## Older @sh\n-->\n"],
  ["- <!--\n  ## Old @sh\n  -->\n"],
  ["<pre>\n## Old @sh\n</pre>\n"],
  ["<script>\n\n## Old @sh\n</script>\n"],
])("S13 %j has no node that runs", async (html) => {
  const steps = await stepsOf(`## A @coder\n\nDo it.\n\n${html}\n## B @coder\n\nDo that.\n`);
  expect(steps.map(({ name }) => name)).toEqual(["A", "B"]);
});

test("S13 a comment or a block of code that nothing closes is an error, because it would hide what follows", async () => {
  expect(await refusalOf("## A @coder\n\n<!-- out\n\n## B @coder\n")).toContain("the comment has no end");
  expect(await refusalOf("## A @coder\n\n```\n\n## B @coder\n    ```\n")).toContain("the code block has no end");
});

test("S13 what is read is written again byte for byte, and means the same, whatever stands in fences", () => {
  const parts = [
    "> ```sh\n> x\n",
    "- ```\n  y\n",
    "<!-- a\n## b -->\n",
    "   ~~~ js\n    ~~~\n   ~~~\n",
    "<pre>x</pre>\n",
  ];
  const text = `${head}## A @coder\n\n${parts.join("\n")}\n## B @coder\n\nDo it.\n`;
  expect(writeMarkup(readMarkup(text).document)).toBe(text);
  const { grimoire, problems } = readWorkflow(text, "a.md");
  expect([problems, grimoire!.steps.map(({ name }) => name)]).toEqual([[], ["A", "B"]]);
});
