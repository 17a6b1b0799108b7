import { join } from "node:path";
import type { RehydrationLine } from "../../src/contract/rehydration.ts";
import { linesOf } from "./hook-repo.ts";
import type { Outcome } from "./repo.ts";
import { RunRepo } from "./run-repo.ts";

/** What a connected agent is told of its run. */
export interface Standing {
  run: string;
  session: string;
  status: string;
  next: string;
  step: string;
  folder: string;
  prompt: string;
  token: string;
  replayed?: object;
  blockers?: { kind: string; message: string; fix: string }[];
}

/** Two steps of the agent, with scripts of Clew's between them and after. */
const connectedSteps = `
- name: plan
  type: agent
  spell: |
    Plan the work on {{.bead.title}}.
  output: planned
- name: check
  type: script
  command: printf 'planned %s' {{.planned.outputs.files}} > planned.txt
- name: build
  type: agent
  spell: |
    Build what was planned: {{.planned.summary}}
- name: test
  type: script
  command: cat planned.txt built.txt`;

export const planned = { success: true, summary: "Two files.", outputs: { files: 2 } };
export const built = { success: true, summary: "It is built." };

/** A repository whose grimoire a connected agent works on. */
export class ConnectedRepo extends RunRepo {
  constructor(flow = connectedSteps) {
    super(flow);
    this.git("add", "-A");
    this.git("commit", "-qm", "The flow.");
    this.env["XDG_STATE_HOME"] = join(this.root, ".git/test-state");
  }

  /** Calls a hook as Claude Code does, or another engine. */
  hook(event: string, fields: object, engine = "claude"): Promise<Outcome> {
    const payload = { session_id: "e-1", cwd: this.root, hook_event_name: event, ...fields };
    return this.run(["hook", event, "--engine", engine], { input: JSON.stringify(payload) });
  }

  /** What is kept of what agents of a run were told. */
  rehydrations(owner: string): RehydrationLine[] {
    return linesOf(join(this.home, "rehydrations", `${owner}.jsonl`));
  }

  worktree(bead: string): string {
    return join(this.root, ".worktrees", bead);
  }
}
