import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Preview, PreviewStep } from "../../src/contract/preview.ts";
import type { Problem } from "../../src/contract/problem.ts";
import type { Repo } from "./repo.ts";

/** Writes a file below the repository's root. */
export function write(repo: Repo, path: string, text: string): void {
  const file = join(repo.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function writeBead(repo: Repo, ...beads: object[]): void {
  write(repo, ".beads/issues.jsonl", beads.map((bead) => `${JSON.stringify(bead)}\n`).join(""));
}

export const bead = {
  id: "proj-1",
  title: "Fix the login",
  description: "It fails after an hour.",
  status: "open",
  priority: 1,
  issue_type: "bug",
};

/** A grimoire of these steps (as YAML, not indented) under `.clew/grimoires/flow.yaml`. */
export function writeSteps(repo: Repo, steps: string): void {
  const indented = steps.replace(/^(?=.)/gm, "  ");
  write(repo, ".clew/grimoires/flow.yaml", `name: flow\ndescription: A flow for a test.\nsteps:\n${indented}\n`);
}

/** Previews `.clew/grimoires/flow.yaml` for the bead above, whatever the exit code. */
export async function preview(repo: Repo, ...more: string[]): Promise<Preview & { code: number | null }> {
  const { code, stdout } = await repo.run(["grimoire", "preview", "flow", "--bead", "proj-1", "--json", ...more]);
  return { code, ...(JSON.parse(stdout) as Preview) };
}

/** A step by its path, which must be there. */
export function step({ steps }: Preview, path: string): PreviewStep {
  const found = flat(steps).find((each) => each.path === path);
  if (!found)
    throw new Error(
      `no step ${path} among ${flat(steps)
        .map((each) => each.path)
        .join(", ")}`,
    );
  return found;
}

function flat(steps: PreviewStep[]): PreviewStep[] {
  return steps.flatMap((each) => [each, ...flat(each.steps ?? [])]);
}

/** `file:line:column severity: message`, as short as tests want it. */
export function told(problems: Problem[]): string[] {
  return problems.map(
    ({ file, line, column, severity, message }) => `${file}:${line}:${column} ${severity}: ${message}`,
  );
}
