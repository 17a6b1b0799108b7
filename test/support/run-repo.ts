import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "../../src/contract/run-journal.ts";
import { bead, write, writeBead, writeSteps } from "./grimoires.ts";
import { Repo } from "./repo.ts";

/** A repository with one bead, `proj-1`, and a grimoire of these steps as its default. Steps write to the file `notes`. */
export class RunRepo extends Repo {
  constructor(steps: string) {
    super();
    writeBead(this, bead);
    writeSteps(this, steps);
    write(this, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
  }

  /** What the engine `scripted` plays. */
  plays(...turns: object[]): Record<string, string> {
    write(this, "script.json", JSON.stringify({ turns }));
    return { CLEW_SCRIPT: join(this.root, "script.json") };
  }

  get notes(): string {
    const file = join(this.root, "notes");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  journal(runId: string): JournalLine[] {
    return linesOf(readFileSync(join(this.home, "logs/workflows", `${runId}.jsonl`), "utf8"));
  }

  /** The id of the only run. */
  async runId(): Promise<string> {
    const { runs } = await this.json<{ runs: { id: string }[] }>("run", "list");
    if (runs.length !== 1) throw new Error(`${runs.length} runs`);
    return runs[0]!.id;
  }
}

/** The lines of a journal; one that was cut short is none. */
export function linesOf(text: string): JournalLine[] {
  return text
    .split("\n")
    .slice(0, -1)
    .filter((line) => !line.endsWith("~torn~"))
    .map((line) => JSON.parse(line) as JournalLine);
}
