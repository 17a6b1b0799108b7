import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const builtins = resolve(import.meta.dirname, "../../../builtins");

/** A step as its YAML says, before anything is checked. */
interface WrittenStep {
  name: string;
  type: string;
  when?: string;
  input?: Record<string, string>;
  spell?: string;
  agent?: string;
  command?: string;
  steps?: WrittenStep[];
}

interface WrittenGrimoire {
  steps: WrittenStep[];
}

export const grimoireNames = ["implement-bead", "prepare-pr", "spec-to-beads"];

export function readText(name: string): string {
  return readFileSync(join(builtins, "grimoires", `${name}.yaml`), "utf8");
}

export function readBuiltin(name: string): WrittenGrimoire {
  return parse(readText(name)) as WrittenGrimoire;
}

/** All steps, those of loops after the loop itself. */
export function stepsOf(steps: WrittenStep[]): WrittenStep[] {
  return steps.flatMap((step) => [step, ...stepsOf(step.steps ?? [])]);
}

export function commandOf(grimoire: string, step: string): string {
  const command = stepsOf(readBuiltin(grimoire).steps).find(({ name }) => name === step)?.command;
  if (command === undefined) throw new Error(`${grimoire} has no script ${step}`);
  return command;
}

/** The files of all spells and partials, by name. */
export function readSpells(): Map<string, string> {
  const folder = join(builtins, "spells");
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** The command of `run-tests` without its template: the branch that looks for the tests, or the one that was given. */
export function testScript(given?: string): string {
  const command = commandOf("implement-bead", "run-tests");
  const [, head, running, looking] =
    /^([^]*)\{\{\/\*.*\*\/ -\}\}\n\{\{if or \.test_command .*\}\}\n([^]*)\{\{else\}\}\n([^]*)\{\{end\}\}\n$/.exec(
      command,
    ) ?? [];
  if (head === undefined || running === undefined || looking === undefined) throw new Error("the template changed");
  if (given === undefined) return head + looking.replace("{{.bead.id}}", "demo-1");
  return head + running.replace("{{.test_command}}", quoted(given)).replace("{{raw .test_command}}", () => given);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
