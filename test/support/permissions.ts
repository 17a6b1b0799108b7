import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "../../src/contract/run-journal.ts";
import { RunRepo } from "./run-repo.ts";
import { startClew, until, type Started } from "./runs.ts";

export interface PermissionItem {
  id: string;
  kind: string;
  text: string;
  run?: string;
  bead?: string;
  session_id?: string;
}

export const ask = (command: string): object => ({ tool: "Bash", input: { command } });
export const done = { result: { success: true, summary: "done" } };
/** What goes beyond the level `work`, and does nothing. */
export const publish = { ask: ask("npm publish"), run: "echo published >> ../../notes" };

/** A repository whose only step is an agent `build` that plays these turns. */
export class AskingRepo extends RunRepo {
  constructor(turns: object[], { settings = "", steps = "" } = {}) {
    super(`- {name: build, type: agent, spell: "Build it.\\n"}\n${steps}`);
    Object.assign(this.env, this.plays(...turns));
    if (settings !== "") appendFileSync(join(this.root, ".clew/config.yaml"), settings);
  }

  async permissions(): Promise<PermissionItem[]> {
    return (await this.json<{ items: PermissionItem[] }>("inbox")).items.filter(({ kind }) => kind === "permission");
  }

  /** The journal's lines of one type. */
  async lines<Type extends JournalLine["type"]>(type: Type): Promise<Extract<JournalLine, { type: Type }>[]> {
    const lines = this.journal(await this.runId());
    return lines.filter((line): line is Extract<JournalLine, { type: Type }> => line.type === type);
  }

  /** Starts a command and returns once so many requests wait. */
  async startAsking(args = ["run", "proj-1"], count = 1): Promise<{ started: Started; items: PermissionItem[] }> {
    const started = startClew(this, args);
    let items: PermissionItem[] = [];
    await until(async () => {
      if (started.child.exitCode !== null) throw new Error(`it ended: ${started.printed()}`);
      items = await this.permissions();
      return items.length === count;
    });
    return { started, items };
  }
}
