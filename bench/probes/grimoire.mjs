// Checks a grimoire and renders a spell over and over, and prints the times in milliseconds.
//   node grimoire.mjs PARTS-FILE GRIMOIRE SPELL ROUNDS
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [partsFile = "", grimoireFile = "", spellFile = "", rounds = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { Findings, parseSpell, previewSteps, readGrimoire, Spells } = await import(pathToFileURL(partsFile).href);

const shelf = {
  /** @param {string} name */
  spell(name) {
    const file = join(dirname(spellFile), name);
    return existsSync(file) ? { origin: "built-in", file, text: readFileSync(file, "utf8") } : undefined;
  },
  spellNames: () => [],
};

const text = readFileSync(grimoireFile, "utf8");
/** Everything that `clew grimoire validate` does with one file. */
function check() {
  const { grimoire, problems, places } = readGrimoire(text, "long.yaml");
  if (!grimoire) throw new Error(JSON.stringify(problems[0]));
  const findings = new Findings("long.yaml");
  const noAgents = { agents: {}, agentNames: [], engine: undefined, engines: undefined };
  previewSteps({ grimoire, bead: undefined, variables: {}, spells: new Spells(shelf), findings, ...noAgents });
  if (!findings.isEmpty) throw new Error(JSON.stringify(findings.problems(places)));
}

const spells = new Spells(shelf);
const spell = parseSpell({ origin: "built-in", file: spellFile, text: readFileSync(spellFile, "utf8") });
const data = {
  bead: {
    id: "proj-1",
    title: "Fix the login",
    description: "It fails after an hour.\n".repeat(20),
    issue_type: "bug",
  },
  base: "0123456789abcdef",
};
function render() {
  if (spells.render(spell, data).text.length < 1000) throw new Error("nothing was rendered");
}

const [firstMs = 0, ...checkMs] = times(Number(rounds) + 1, check);
// One rendering is too short for the clock.
const renderMs = times(Number(rounds) + 1, () => {
  for (let count = 0; count < 100; count++) render();
}).map((ms) => ms / 100);
process.stdout.write(JSON.stringify({ firstMs, checkMs, renderMs: renderMs.slice(1) }));

/**
 * @param {number} count
 * @param {() => void} work
 */
function times(count, work) {
  return Array.from({ length: count }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
}
