import { Repo } from "./repo.ts";

/** A repository with sessions from which something is to be learned. */
export class LearnRepo extends Repo {
  /** A session with these entries; returns its id. */
  async session(title: string, ...entries: object[]): Promise<string> {
    const id = await this.clew("session", "start", title, "--agent", "coder@2", "--model", "m-1");
    await this.log(id, ...entries);
    return id;
  }
}

export const call = (args: string, result: string, failed = false, name = "Bash"): object => ({
  kind: "tool",
  name,
  args,
  result,
  failed,
});
export const said = (text: string): object => ({ kind: "text", text });
export const user = (text: string, action?: string): object => ({
  kind: "user",
  text,
  ...(action !== undefined && { action }),
});
export const phase = (title: string): object => ({ kind: "phase", title, agent: "coder@2" });
