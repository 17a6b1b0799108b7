import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Repo } from "./repo.ts";

export type News = { type: string; [key: string]: unknown };

/** A repository with beads, whose scripted engine plays these turns. */
export class WorkRepo extends Repo {
  plays(...turns: object[]): void {
    writeFileSync(join(this.root, "play.json"), JSON.stringify({ turns }));
    this.env["CLEW_SCRIPT"] = join(this.root, "play.json");
  }

  static async with(...turns: object[]): Promise<WorkRepo> {
    const repo = new WorkRepo();
    await repo.clew("init");
    repo.configure("engine: scripted\n");
    repo.plays(...turns);
    return repo;
  }

  async bead(title: string, ...options: string[]): Promise<string> {
    return (await this.json<{ bead: { id: string } }>("bead", "create", title, ...options)).bead.id;
  }

  async status(id: string): Promise<string> {
    return (await this.json<{ bead: { status: string } }>("bead", "show", id)).bead.status;
  }

  async work(...args: string[]): Promise<{ code: number | null; news: News[]; end: News }> {
    const { code, stdout, stderr } = await this.run(["work", ...args, "--json"]);
    const news = stdout
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as News);
    if (news.length === 0) throw new Error(stderr);
    return { code, news, end: news.at(-1)! };
  }

  async ready(): Promise<string[]> {
    return (await this.json<{ beads: { id: string }[] }>("bead", "ready")).beads.map(({ id }) => id);
  }

  async sessions(): Promise<{ session_id: string; status: string; kind: string }[]> {
    return (await this.json<{ sessions: { session_id: string; status: string; kind: string }[] }>("session", "list"))
      .sessions;
  }
}
