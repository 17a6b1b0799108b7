import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

/** A repository with one session, and an agent that gives this answer to who asks it for a better workflow. */
class RefineRepo extends Repo {
  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  async work(answer: string): Promise<string> {
    write(this, ".clew/config.yaml", "engine: scripted\n");
    // Only the record has what the call gave.
    const turns = [{ when: "only the record knows this", say: answer, usage: { input: 10, output: 5 } }];
    write(this, "script.json", JSON.stringify({ turns }));
    Object.assign(this.env, { CLEW_SCRIPT: join(this.root, "script.json") });
    const { session_id } = await this.json<{ session_id: string }>("session", "start", "Write the greeting");
    await this.log(
      session_id,
      { kind: "phase", title: "Write", agent: "coder" },
      { kind: "user", text: "Say hello in hello.txt" },
      { kind: "tool", name: "Bash", args: "ls | wc", result: "only the record knows this", failed: false },
      { kind: "phase", title: "Check" },
      { kind: "tool", name: "Bash", args: "test -s hello.txt", result: "", failed: false },
    );
    return session_id;
  }
}

const better = `name: greet
description: Greets people.
steps:
  - name: write
    type: agent
    spell: |
      Write a greeting for {{.bead.title}}.
  - name: check
    type: script
    command: test -s hello.txt
`;

test("S14 --refine gives an agent the workflow and the record, shows the difference, and keeps the original", async () => {
  using repo = new RefineRepo();
  const id = await repo.work(`Here it is.\n\n\`\`\`yaml\n${better}\`\`\`\n`);
  const { text: original } = await repo.json<{ text: string }>("session", "codify", id);
  const refine = ["session", "codify", id, "--refine", "-o", "flows/greet.yaml"];
  const shown = await repo.clew(...refine);
  expect(shown).toContain("+      Write a greeting for {{.bead.title}}.");
  expect(shown).toContain("Wrote flows/greet.yaml");
  expect(repo.text("flows/greet.yaml")).toBe(better);
  expect(repo.text("flows/greet.yaml.original")).toBe(original);
  await repo.clew("grimoire", "validate", "flows/greet.yaml");
  expect((await repo.refused(refine)).message).toContain("is there already");
});

test("S14 --refine refuses what no longer validates, and writes nothing", async () => {
  using repo = new RefineRepo();
  const id = await repo.work("```yaml\nname: greet\nsteps:\n  - {name: a, type: dance}\n```");
  const refused = await repo.run(["session", "codify", id, "--refine", "-o", "greet.yaml"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("the line: - {name: a, type: dance}");
  expect(refused.stderr).toContain("nothing was written to greet.yaml");
  expect([existsSync(join(repo.root, "greet.yaml")), existsSync(join(repo.root, "greet.yaml.original"))]).toEqual([
    false,
    false,
  ]);
  // What was paid for is kept.
  expect(refused.stderr).toContain("the text is kept in greet.yaml.rejected");
  expect(repo.text("greet.yaml.rejected")).toBe("name: greet\nsteps:\n  - {name: a, type: dance}\n");
  await repo.run(["session", "codify", id, "--refine", "-o", "greet.yaml"]);
  expect(repo.text("greet.yaml.rejected-2")).toBe(repo.text("greet.yaml.rejected"));
});

test("S14 a place that cannot be written is refused before an agent is paid or a person edits", async () => {
  using repo = new RefineRepo();
  const id = await repo.work("");
  write(repo, "taken", "a file");
  const refused = await repo.refused(["session", "codify", id, "--refine", "-o", "taken/greet.yaml"]);
  expect(refused.message).toContain("cannot write taken/greet.yaml");
});

const editors = {
  broken: `echo 'name: [' > "$1"`,
  failing: `echo 'name: mine' > "$1"; exit 1`,
  taking: `rm "$1"; exit 1`,
  sound: `cat better.yaml > "$1"`,
  late: `cat better.yaml > "$1"; echo other > greet.yaml`,
};

test.runIf(hasTerminals).each<[string, keyof typeof editors, [string, string][], string | undefined]>([
  ["that is left while it is not valid", "broken", [["Edit again?", "n\r"]], "name: [\n"],
  ["that is not to be saved", "sound", [["Save it as", "n\r"]], better],
  ["of an editor that fails", "failing", [], "name: mine\n"],
  ["of an editor that fails and takes it away", "taking", [], undefined],
  ["whose file came meanwhile", "late", [["Save it as", "y\r"]], better],
])("S14 --interactive keeps a text %s, and says where", async (_, editor, types, kept) => {
  using repo = new RefineRepo();
  const id = await repo.work("");
  write(repo, "better.yaml", better);
  write(repo, "editor.sh", `#!/bin/sh\ncd "$(dirname "$0")"\n${editors[editor]}\n`);
  chmodSync(join(repo.root, "editor.sh"), 0o755);
  const { code, lines } = await onTerminal(repo, ["session", "codify", id, "--interactive", "-o", "greet.yaml"], {
    env: { ...repo.env, EDITOR: `"${join(repo.root, "editor.sh")}"` },
    columns: 200,
    types,
  });
  expect(code).not.toBe(0);
  expect(lines.join("\n").includes("the text is kept in greet.yaml.rejected")).toBe(kept !== undefined);
  expect(existsSync(join(repo.root, "greet.yaml.rejected"))).toBe(kept !== undefined);
  if (kept !== undefined) expect(repo.text("greet.yaml.rejected")).toBe(kept);
});

test("S14 what --refine answers is looked at like what was codified: what lands nowhere, what never ran, what lacks a secret", async () => {
  using repo = new RefineRepo();
  const added = better.replace("command: test -s hello.txt", "command: npm run deploy");
  const id = await repo.work(`\`\`\`yaml\n${added}\`\`\`\n`);
  const { stderr } = await repo.run(["session", "codify", id, "--refine", "-o", "greet.yaml"]);
  expect(stderr).toContain("NOTHING LANDS: no merge step of this workflow runs");
  expect(stderr).toContain("check: nothing was seen to run these commands, which are new: npm run deploy");
  const upload = better.replace("command: test -s hello.txt", "command: ./up --token '[redacted:github-token]'");
  const script = { turns: [{ say: `\`\`\`yaml\n${upload}\`\`\`\n` }] };
  write(repo, "script.json", JSON.stringify(script));
  const refused = await repo.run(["session", "codify", id, "--refine", "-o", "up.yaml"]);
  expect([refused.code, existsSync(join(repo.root, "up.yaml"))]).toEqual([2, false]);
  expect(refused.stderr).toMatch(/workflow\.yaml:8:5: error.*\n?.*check runs, and a secret of it was redacted/);
});

test.each([
  ["markup", "---\ntype: workflow\n---\n# X\n\n## Up @sh\n\n```sh\n./up '[redacted:github-token]'\n```\n"],
  ["skill", "---\nname: x\ndescription: X\n---\n\n# X\n\n```sh\n./up '[redacted:github-token]'\n```\n"],
])("S14 a command that lacks its secret is refused in %s, too", async (format, text) => {
  using repo = new RefineRepo();
  const id = await repo.work(text);
  const refused = await repo.run(["session", "codify", id, "--refine", "--format", format, "-o", "x.md"]);
  expect([refused.code, existsSync(join(repo.root, "x.md"))]).toEqual([2, false]);
  expect(refused.stderr).toContain("redacted: [redacted:github-token]");
});

const markup = `---
type: workflow
name: greet
description: Greets people.
---

## Write @coder

Write a greeting.

## Check @sh

\`\`\`sh
test -s hello.txt
\`\`\`

Write → Check
`;

test.each([
  ["without a fence", markup],
  ["in a fence that is as long as those inside it", `\`\`\`markdown\n${markup}\`\`\`\n`],
  ["behind another fence", `I ran\n\n\`\`\`sh\nls\n\`\`\`\n\nand give you\n\n~~~~md\n${markup}~~~~\n`],
])("S14 --refine takes markup that an agent gives %s", async (_, answer) => {
  using repo = new RefineRepo();
  const id = await repo.work(answer);
  await repo.clew("session", "codify", id, "--refine", "--format", "markup", "-o", "greet.md");
  expect(repo.text("greet.md")).toBe(markup);
});

test.runIf(hasTerminals)("S14 --interactive shows what is wrong by line, lets it be mended, and saves it", async () => {
  using repo = new RefineRepo();
  const id = await repo.work("");
  // The editor breaks the text the first time, and mends it the second.
  write(repo, "better.yaml", better);
  write(
    repo,
    "editor.sh",
    `#!/bin/sh\ncd "$(dirname "$0")"\nif [ -e again ]; then cat better.yaml > "$1"; else touch again; echo 'name: [' > "$1"; fi\n`,
  );
  chmodSync(join(repo.root, "editor.sh"), 0o755);
  const { code, lines } = await onTerminal(repo, ["session", "codify", id, "--interactive", "-o", "greet.yaml"], {
    env: { ...repo.env, EDITOR: `"${join(repo.root, "editor.sh")}"` },
    types: [
      ["Edit again?", "y\r"],
      ["Save it as", "y\r"],
    ],
  });
  const screen = lines.join("\n");
  expect(screen).toMatch(/workflow.yaml:2:1: error/);
  expect([code, screen]).toEqual([0, expect.stringContaining("Wrote greet.yaml")]);
  expect(repo.text("greet.yaml")).toBe(better);
});
