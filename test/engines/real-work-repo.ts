import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { installEngine } from "../../tools/engines/programs.mjs";
import type { EngineName } from "../../tools/engines/programs.mjs";
import { Folder } from "../support/folders.ts";
import { WorkRepo } from "../support/work-repo.ts";
import type { Turn } from "./model/script.ts";
import { startModel, type ModelServer } from "./model/server.ts";
import { runOnce } from "./one-shot.ts";
import { ownEnvironment } from "./real-engine.ts";
import { settingsOf, writeSettings } from "./settings.ts";

export interface Breadcrumb {
  engine: string;
  engine_session?: string;
  kind: string;
  response?: string;
  transcript?: { file: string; from: number; to: number };
}

/** What `frontmatter.engine_sessions` has of one engine session. */
export interface EngineSession {
  engine: string;
  session: string;
  transcript?: string;
}

/** A repository with beads, whose engines are real ones with a home of their own, all sent to one model on loopback. */
export class RealWorkRepo extends WorkRepo implements AsyncDisposable {
  readonly #home = new Folder();
  readonly #script: { turns: Turn[]; isBare?: true };
  readonly #programs = new Map<EngineName, string>();
  readonly model: ModelServer;

  private constructor(script: { turns: Turn[]; isBare?: true }, model: ModelServer) {
    super();
    this.#script = script;
    this.model = model;
  }

  /** The first engine is the one that is taken when none is asked for. */
  static async of(engines: readonly EngineName[], ...turns: Turn[]): Promise<RealWorkRepo> {
    const script = { turns };
    const repo = new RealWorkRepo(script, await startModel(script));
    Object.assign(repo.env, ownEnvironment(repo.#home.path), { XDG_CONFIG_HOME: join(repo.#home.path, ".config") });
    for (const name of engines) {
      const program = await installEngine(name);
      const settings = settingsOf(name, repo.model.url);
      writeSettings(repo.#home.path, settings);
      Object.assign(repo.env, settings.env, { PATH: `${dirname(program)}:${repo.env["PATH"]}` });
      repo.#programs.set(name, program);
    }
    // Without one it asks the model which model to ask.
    Object.assign(repo.env, { GEMINI_MODEL: settingsOf("gemini", "").model });
    await repo.clew("init");
    repo.configure(`engine: ${engines[0]}\n`);
    return repo;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    super[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }

  /** What the model says from now on. */
  says(...turns: Turn[]): void {
    this.#script.turns = turns;
  }

  /** What it says from now on to agents without tools, whatever it is asked. */
  answers(say: string): void {
    this.#script.turns = [{ when: "", say }];
    this.#script.isBare = true;
  }

  /** An engine's own session in this repository, without Clew. */
  async bare(name: EngineName, prompt: string): Promise<void> {
    const { model } = settingsOf(name, this.model.url);
    const program = this.#programs.get(name)!;
    await runOnce(name, { program, env: this.env, folder: this.root, modelName: model }, prompt);
  }

  /** The breadcrumbs of all rounds. Some engines tell of a round only when they are done with a prompt. */
  async rounds(id: string): Promise<Breadcrumb[]> {
    const { breadcrumbs } = await this.json<{ breadcrumbs: Breadcrumb[] }>("session", "breadcrumbs", id);
    return breadcrumbs.filter(({ kind }) => kind === "round");
  }

  async engineSessions(id: string): Promise<EngineSession[]> {
    return ((await this.show(id)).frontmatter.engine_sessions ?? []) as unknown as EngineSession[];
  }

  /** The files that hold all that the agents of a session said. */
  transcripts(id: string): string[] {
    const folder = join(this.home, "transcripts", id);
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith("-work.jsonl")) : [];
  }
}

/** All that these rounds say. */
export function saidIn(rounds: readonly Breadcrumb[]): string {
  return rounds.map(({ response = "" }) => response).join("\n");
}

export const submit = (input: Record<string, unknown>): Turn => ({
  mcp: { server: "clew", tool: "submit_result", input },
});

export const run = (say: string, command: string): Turn => ({
  say,
  tool: { kind: "shell", input: { command } },
  usage: { input: 1000, output: 50, cached: 200 },
});
