import type { CodifiedText } from "../../src/contract/api/codify.ts";
import type { Grimoire } from "../../src/contract/grimoire.ts";
import { readGrimoire } from "../../src/grimoire/definition/read-grimoire.ts";
import { Repo } from "./repo.ts";

export const phase = (title: string, agent?: string, channel?: string): object => ({
  kind: "phase",
  title,
  ...(agent && { agent }),
  ...(channel && { channel }),
});

export const ran = (command: string, result = "", failed = false): object => ({
  kind: "tool",
  name: "Bash",
  args: command,
  result,
  failed,
});

export const tool = (name: string, args: string, result = "ok"): object => ({
  kind: "tool",
  name,
  args,
  result,
  failed: false,
});

/** A repository whose sessions are logged entry by entry, and codified. */
export class CodifyRepo extends Repo {
  async session(title: string, entries: object[]): Promise<string> {
    const { session_id } = await this.json<{ session_id: string }>("session", "start", title);
    await this.log(session_id, ...entries);
    return session_id;
  }

  async codify(...args: string[]): Promise<CodifiedText & { grimoire: Grimoire }> {
    const codified = await this.json<CodifiedText>("session", "codify", ...args);
    return { ...codified, grimoire: readGrimoire(codified.text, "workflow.yaml").grimoire! };
  }
}
