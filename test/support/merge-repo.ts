import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bead, writeBead } from "./grimoires.ts";
import { Repo, type Outcome, type RunOptions } from "./repo.ts";
import { script, type StepSource } from "./runs.ts";

/** A repository with files in it, the bead `proj-1`, and a grimoire that ends in a merge as its default. */
export class MergeRepo extends Repo {
  readonly worktree = join(this.root, ".worktrees/proj-1");

  /** `work` is what the run changes, as a script in its worktree. */
  constructor(work: string, { review = true, before = [], after = [], merge = {}, inLoop = false }: MergeFlow = {}) {
    super();
    this.put("kept.txt", "kept\n");
    this.put("shared.txt", "one\ntwo\nthree\n");
    this.put(".gitignore", "*.ignored\n");
    writeBead(this, bead);
    const step = { name: "merge", type: "merge", require_review: review, ...merge };
    const own = [...before, script("work", work), step, ...after];
    const steps = inLoop ? [{ name: "again", type: "loop", max_iterations: 3, steps: own }] : own;
    const flow = `name: flow\ndescription: For a test.\nsteps:\n${steps.map((each) => `  - ${JSON.stringify(each)}\n`).join("")}`;
    this.put(".clew/grimoires/flow.yaml", flow);
    this.put(".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
    this.git("add", "--all");
    this.git("commit", "-q", "-m", "files");
  }

  /** Writes a file below the root, or below another checkout. */
  put(path: string, text: string, checkout = this.root): void {
    const file = join(checkout, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Undefined when there is no such file. */
  text(path: string, checkout = this.root): string | undefined {
    const file = join(checkout, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  at(checkout: string, ...args: string[]): string {
    return execFileSync("git", ["-C", checkout, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  }

  /** `clew run …` on the bead, whatever the exit code. */
  clewRun(
    word: "start" | "resume" | "retry" | "approve" | "changes" | "reject" | "cancel",
    more: string[] = [],
    options?: RunOptions,
  ): Promise<Outcome> {
    return this.run(word === "start" ? ["run", "proj-1", ...more] : ["run", word, "proj-1", ...more], options);
  }

  async beadStatus(): Promise<unknown> {
    return (await this.json<{ bead: { status: unknown } }>("bead", "show", "proj-1")).bead.status;
  }

  /** What is on a branch, without Clew's own files. */
  commits(branch = "main"): string[] {
    return this.git("log", "--first-parent", "--format=%s", branch).trim().split("\n");
  }
}

interface MergeFlow {
  review?: boolean;
  /** More fields of the merge step. */
  merge?: Record<string, unknown>;
  /** Whether all steps stand in a loop of three iterations. */
  inLoop?: boolean;
  before?: StepSource[];
  after?: StepSource[];
}
