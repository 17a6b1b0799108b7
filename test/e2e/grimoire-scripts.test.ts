import { expect, test } from "vitest";
import { bead, preview, step, told, writeBead, writeSteps } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";

/** The command of one script step for a bead with this title. */
async function command(repo: Repo, text: string, title: string, ...more: string[]) {
  writeBead(repo, { ...bead, title });
  writeSteps(repo, `- ${JSON.stringify({ name: "a", type: "script", command: text })}`);
  const shown = await preview(repo, ...more);
  return { command: step(shown, "a").command, problems: shown.problems, told: told(shown.problems), code: shown.code };
}

test("G8 a value is one argument where it stands bare, plain text in quotes and here-documents", async () => {
  using repo = new Repo();
  const hostile = `foo; rm -rf / $(id) \`id\` "x" it's \\`;
  const shown = await command(
    repo,
    `bd close {{.bead.title}}
echo "say {{.bead.title}}" 'and {{.bead.title}}' --title={{.bead.title}}
cat <<EOF
{{.bead.title}}
EOF
cat <<'END'
$HOME {{.bead.title}}
END`,
    hostile,
  );
  expect(shown.told).toEqual([]);
  const single = hostile.replaceAll("'", "'\\''");
  const escaped = hostile.replace(/[$`\\]/g, "\\$&");
  expect(shown.command).toBe(`bd close '${single}'
echo "say ${hostile.replace(/["$`\\]/g, "\\$&")}" 'and ${single}' --title='${single}'
cat <<EOF
${escaped}
EOF
cat <<END
\\$HOME ${escaped}
END`);
});

test("G8 raw is honoured, with a warning that names the place", async () => {
  using repo = new Repo();
  const shown = await command(repo, "{{raw .cmd}} && echo done", "x", "--var", "cmd=make check | tee log");
  expect(shown.command).toBe("make check | tee log && echo done");
  expect(shown.code).toBe(0);
  expect(shown.problems).toMatchObject([{ severity: "warning", line: 4, step: "a" }]);
  expect(shown.told[0]).toContain("{{raw .cmd}}");
});

const refused: [string, string][] = [
  ["as the command word", "{{.bead.title}} --version"],
  ["as part of the command word", "./bin/{{.bead.title}}"],
  ["after exec", "exec {{.bead.title}}"],
  ["after env", "env A=1 {{.bead.title}}"],
  ["after xargs", "ls | xargs {{.bead.title}}"],
  ["after a dot", ". {{.bead.title}}"],
  ["in a trap", "trap {{.bead.title}} EXIT"],
  ["in eval", 'eval "echo {{.bead.title}}"'],
  ["in sh -c", "sh -c 'echo {{.bead.title}}'"],
  ["in bash -lc", 'bash -lc "echo {{.bead.title}}"'],
  ["in arithmetic", "echo $(( {{.bead.priority}} + 1 ))"],
  ["in ${…}", "echo ${x:-{{.bead.title}}}"],
  ["in $'…'", "echo $'{{.bead.title}}'"],
  ["in backquotes", "echo `basename {{.bead.title}}`"],
];

test.each(refused)("G8 a hole %s is an error with line and fix", async (_, text) => {
  using repo = new Repo();
  const shown = await command(repo, text, "x");
  expect(shown.code).toBe(2);
  expect(shown.problems).toMatchObject([{ severity: "error", line: 4, step: "a" }]);
  expect(shown.problems[0]!.hint).toMatch(/\S/);
  expect(shown.problems[0]!.column).toBeGreaterThan(1);
});

test("G8 a problem in a long command is told at its own line of the file", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  writeSteps(
    repo,
    `- name: a
  type: script
  command: |
    set -eu
    echo one
    eval {{.bead.title}}`,
  );
  expect(told((await preview(repo)).problems)).toEqual([expect.stringMatching(/flow\.yaml:9:1[0-4] error: /)]);
});

test("G8 a script that no shell can read to its end is an error at its line, with values or without", async () => {
  using repo = new Repo();
  writeBead(repo, bead);
  writeSteps(
    repo,
    `- name: a
  type: script
  command: |
    echo one
    echo "open
    echo {{.bead.title}} {{.bead.id}}
- {name: b, type: script, command: "cat <<EOF"}`,
  );
  const shown = told((await preview(repo)).problems);
  expect(shown).toEqual([
    expect.stringMatching(/flow\.yaml:8:\d+ error: .*never closed/),
    expect.stringMatching(/flow\.yaml:10:\d+ error: /),
  ]);
});

test("G8 a NUL in a value is refused", async () => {
  using repo = new Repo();
  const shown = await command(repo, "echo {{.bead.title}}", "a\0b");
  expect(shown.told).toEqual([expect.stringContaining("NUL")]);
});

test("G4 what prints: text as it is, lists and objects as JSON, null and missing as nothing", async () => {
  using repo = new Repo();
  const shown = await command(
    repo,
    "echo {{.list}} {{.map}} {{.bead.design}} {{.nul}} {{.f}} {{.big}}",
    "x",
    "--var",
    'list=["a","b<"]',
    "--var",
    'map={"b":1,"a":null}',
    "--var",
    "nul=null",
    "--var",
    "f=1.5",
    "--var",
    "big=1e21",
  );
  expect(shown.told).toEqual([]);
  expect(shown.command).toBe(`echo '["a","b<"]' '{"a":null,"b":1}' '' '' '1.5' '1e+21'`);
});
