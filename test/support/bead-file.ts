import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bead } from "../../src/contract/bead.ts";
import type { Repo } from "./repo.ts";

export function beadFile(repo: Repo, name = "issues.jsonl"): string {
  return join(repo.root, ".beads", name);
}

/** Puts the file of beads there, or another one beside it, as another program would. */
export function placeBeads(repo: Repo, content: string | Buffer, name?: string): void {
  mkdirSync(join(repo.root, ".beads"), { recursive: true });
  writeFileSync(beadFile(repo, name), content);
}

/** Every line of the file, which must all be whole. */
export function beadsOf(repo: Repo): Bead[] {
  if (!existsSync(beadFile(repo))) return [];
  const text = readFileSync(beadFile(repo), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Bead);
}
