import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { median, takeTurns } from "../lib/timing.mjs";

const probe = fileURLToPath(new URL("../probes/grimoire.mjs", import.meta.url));

/** What a grimoire costs before anything runs. @param {import("../lib/bench.mjs").Bench} bench */
export async function grimoire(bench) {
  const { program, place, partsFile, sizes } = bench;
  const long = join(place.root, "long.yaml");
  writeFileSync(long, longGrimoire(2000));
  const spell = join(program.folder, "dist", "builtins", "spells", "review.md");
  const printed = program.node(place.root, [probe, partsFile, long, spell, String(sizes.rounds)]);
  /** @type {{ firstMs: number, checkMs: number[], renderMs: number[] }} */
  const { firstMs, checkMs, renderMs } = JSON.parse(printed.toString());

  const project = bench.repository("grimoires");
  // Nothing can run, and so nothing is ready to, before the first commit.
  const someone = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"];
  program.git(project.folder, ...someone, "commit", "--quiet", "--allow-empty", "--message=first");
  mkdirSync(join(project.folder, ".beads"));
  const bead = { id: "proj-1", title: "Fix the login", status: "open", priority: 1, issue_type: "bug" };
  writeFileSync(join(project.folder, ".beads", "issues.jsonl"), `${JSON.stringify(bead)}\n`);
  // A preview wants to know what the engine would play.
  writeFileSync(join(project.folder, ".clew", "config.yaml"), "engines: {scripted: {script: script.yaml}}\n");
  const { node, preview } = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    preview: () =>
      void project.clew("grimoire", "preview", "implement-bead", "--bead", "proj-1", "--engine", "scripted"),
  });
  return [
    plainRow("checking a grimoire of 2,000 lines", { value: median(checkMs), unit: "ms", atMost: 50 }),
    plainRow("the same, the first time in a process", { value: firstMs, unit: "ms" }),
    plainRow("rendering a parsed spell (review)", { value: median(renderMs) * 1000, unit: "µs", atMost: 100 }),
    ratioRow("clew grimoire preview / node -e 0", preview, node, { atMost: 2.2 }),
  ];
}

/**
 * Steps of every type with templates in them, loops inside loops.
 * @param {number} lines
 */
function longGrimoire(lines) {
  const text = ["name: long", "description: A long one.", "steps:"];
  for (let at = 0; text.length < lines; at++) {
    text.push(
      `  - name: work-${at}`,
      "    type: agent",
      `    when: "{{${at === 0 ? "eq .bead.priority 1" : ".previous.success"}}}"`,
      "    spell: |",
      "      Work on {{.bead.title}} ({{.bead.id}}).",
      "      {{if .bead.design}}{{.bead.design}}{{end}}",
      `    input: {n: ${at}, what: "{{.bead.description}}"}`,
      `    output: out_${at}`,
      "    timeout: 10m",
      `  - name: loop-${at}`,
      "    type: loop",
      "    max_iterations: 3",
      "    steps:",
      `      - name: test-${at}`,
      "        type: script",
      "        command: |",
      `          npm test -- {{.bead.id}} "{{.out_${at}.summary}}"`,
      "          echo done {{.iteration}}",
      "        on_fail: continue",
      "        on_success: exit_loop",
      `      - {name: fix-${at}, type: agent, spell: "Fix {{.test_${at}.output}}.\\n", when: "{{.previous.failed}}"}`,
    );
  }
  return `${text.join("\n")}\n`;
}
