import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { App } from "../../src/main/app.ts";
import { ClewError } from "../../src/contract/errors.ts";
import { openOperations } from "../../src/main/operations.ts";
import { openApp } from "../../src/main/wire.ts";
import { Repo, textsOf } from "../support/repo.ts";

const builtins = resolve(import.meta.dirname, "../../builtins");
const acts = [
  "log",
  "log",
  "log",
  "look",
  "look",
  "end",
  "note",
  "old-text",
  "commit",
  "commit",
  "stash",
  "pop",
  "drop",
  "reset",
  "amend",
  "main",
  "work",
  "detach",
  "delete-branch",
  "clean",
  "expire",
] as const;
type Act = (typeof acts)[number];

/** One session in a repository where a person does as they like. */
class World {
  readonly repo = new Repo();
  readonly acknowledged: string[] = [];
  id = "";
  #older = "";
  #count = 0;
  #hasEnded = false;
  /** A command looked while a branch reached all of the ended session: from then on, it is the person's. */
  isReleased = false;

  [Symbol.dispose](): void {
    this.repo[Symbol.dispose]();
  }

  async do(act: Act): Promise<void> {
    const file = this.repo.path(this.id);
    if (act === "log") return this.#log();
    if (act === "look") return this.look();
    if (act === "end") return this.#end();
    if (act === "note") return existsSync(file) ? appendFileSync(file, "\nA note of mine.\n") : undefined;
    if (act === "old-text") {
      if (!existsSync(file)) return;
      const now = readFileSync(file, "utf8");
      if (this.#older !== "") writeFileSync(file, this.#older);
      this.#older = now;
      return;
    }
    for (const args of gitActs[act]) this.#git(args);
  }

  async start(): Promise<void> {
    await this.#app(async (app) => {
      this.id = (await (await app.sessions()).start({ title: "Work" })).session_id;
    });
  }

  async look(): Promise<void> {
    const isReached = this.#hasEnded && this.#branchesHold();
    await this.#app(async (app) => (await app.sessions()).list({ limit: 10 }));
    this.isReleased ||= isReached;
  }

  /** What the program shows, or, when it says that another branch has the session, what the branches have. */
  async texts(): Promise<string[]> {
    // A conflict that a stash left in the frontmatter is for a person to solve.
    this.#git(["checkout", "-qf"]);
    return this.#app(async (app) => {
      try {
        return textsOf(await (await app.sessions()).show({ session: this.id }));
      } catch (error) {
        if (error instanceof ClewError && error.code === "unknown_session" && this.#branchesHold()) {
          return this.acknowledged;
        }
        throw error;
      }
    });
  }

  async #log(): Promise<void> {
    const text = `entry ${++this.#count}`;
    const entry = { kind: "text" as const, text };
    const isLogged = await this.#try(async (app) => (await app.sessions()).log({ session: this.id, entry }));
    if (isLogged) this.acknowledged.push(text);
  }

  async #end(): Promise<void> {
    const status = "completed";
    const hasEnded = await this.#try(async (app) => (await app.sessions()).end({ session: this.id, status }));
    if (hasEnded) this.#hasEnded = true;
  }

  async #try(work: (app: App) => Promise<unknown>): Promise<boolean> {
    try {
      await this.#app(work);
      return true;
    } catch (error) {
      if (error instanceof ClewError) return false;
      throw error;
    }
  }

  async #app<T>(work: (app: App) => Promise<T>): Promise<T> {
    const program = { version: "0", builtins, engines: builtins };
    const app = await openApp({
      cwd: this.repo.root,
      env: {},
      program,
      progress: () => undefined,
      warn: () => undefined,
      openOperations,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  }

  /** Whether some commit of a branch has every entry that was acknowledged. */
  #branchesHold(): boolean {
    const path = `.clew/sessions/${this.id}/session.md`;
    const commits = this.repo.git("log", "--branches", "--format=%H", "--", path).split("\n").filter(Boolean);
    return commits.some((commit) => {
      const content = this.#git(["show", `${commit}:${path}`]) ?? "";
      return this.acknowledged.every((text) => content.includes(`> ${text}\n`));
    });
  }

  /** Undefined when git refused. */
  #git(args: string[]): string | undefined {
    try {
      return execFileSync("git", ["-C", this.repo.root, ...args], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    } catch {
      return undefined;
    }
  }
}

const gitActs: Record<Exclude<Act, "log" | "look" | "end" | "note" | "old-text">, string[][]> = {
  commit: [
    ["add", "-A"],
    ["commit", "-q", "--allow-empty", "-m", "work"],
  ],
  stash: [
    ["add", "-A"],
    ["stash", "-q"],
  ],
  pop: [["stash", "pop", "-q"]],
  drop: [["stash", "drop", "-q"]],
  reset: [["reset", "-q", "--hard", "HEAD~1"]],
  amend: [
    ["checkout", "-q", "HEAD~1", "--", "."],
    ["commit", "-q", "--amend", "--allow-empty", "-m", "amended"],
  ],
  main: [["checkout", "-qf", "main"]],
  work: [
    ["branch", "work"],
    ["checkout", "-qf", "work"],
  ],
  detach: [["checkout", "-qf", "--detach", "HEAD~1"]],
  "delete-branch": [["branch", "-qD", "work"]],
  clean: [["clean", "-fdxq"]],
  expire: [
    ["reflog", "expire", "--expire=now", "--all"],
    ["gc", "-q", "--prune=now"],
  ],
};

test("S7 no act of git takes an acknowledged entry away, unless a branch reached it after its session ended", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...acts), { minLength: 4, maxLength: 16 }), async (sequence) => {
      using world = new World();
      await world.start();
      for (const act of sequence) await world.do(act);
      if (world.isReleased) return;
      const texts = await world.texts();
      expect(world.acknowledged.filter((text) => !texts.includes(text))).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 300_000);
