import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodeDisk } from "../../src/adapters/files/node-disk.ts";
import { turnFolders } from "../../src/adapters/turns/turn-folders.ts";
import type { TurnStore } from "../../src/app/turn/ports.ts";
import { assumeRedacted } from "../../src/contract/redacted.ts";
import type { TurnLine } from "../../src/contract/turn.ts";
import type { ExecutionReport, LoggedAction } from "../../src/contract/turn-report.ts";
import { Repo } from "./repo.ts";

/** What an agent's plan says beside its title. */
interface PlanParts {
  vault?: string[];
  actions?: string;
}

/** The text of a plan. */
export function planText(title: string, { vault = [], actions = chat }: PlanParts = {}): string {
  return `# ${title}
- **Status:** Green
- **Plan Type:** Implementation
- **Agent:** dev
- **Goal:** that it works

## Rationale
~~~~~~
Because of ${title}.
~~~~~~

## Context Vault
~~~~~~
${vault.join("\n")}
~~~~~~

## Action Plan

${actions}`;
}

const chat = "### `CHAT_WITH_USER`\n- **Description:** ask\n~~~~~~\nGo on?\n~~~~~~\n";

/** A repository with the scripted engine, whose agents answer with plans. */
export class TurnRepo extends Repo {
  constructor() {
    super();
    this.configure("engine: scripted\n");
    this.env["CLEW_SCRIPT"] = join(this.root, "play.json");
  }

  /** What the engine says, by a text in what it is sent. */
  answers(byWord: Record<string, string | object>): void {
    const turns = Object.entries(byWord).map(([when, answer]) =>
      typeof answer === "string" ? { when, say: answer } : { when, ...answer },
    );
    writeFileSync(join(this.root, "play.json"), JSON.stringify({ turns }));
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  /** Makes a session with these lines in its context list; returns its id. */
  async newSession(name: string, ...context: string[]): Promise<string> {
    const { session_id } = await this.json<{ session_id: string }>("session", "new", name);
    this.write(`.clew/sessions/${session_id}/session.context`, `${context.join("\n")}\n`);
    return session_id;
  }

  turnFile(session: string, turn: string, file: string): string {
    return readFileSync(join(this.root, ".clew/sessions", session, turn, file), "utf8");
  }

  /** What stands in a session's folder. */
  entries(session: string): string[] {
    return readdirSync(join(this.root, ".clew/sessions", session)).sort();
  }

  get store(): TurnStore {
    return turnFolders(nodeDisk, { root: this.root, sessions: join(this.root, ".clew/sessions"), home: this.home });
  }

  lines(session: string): TurnLine[] {
    return this.store.lines(session);
  }

  /** Reports a turn as if it had been executed. */
  executed(
    session: string,
    turn: string,
    actions: Partial<LoggedAction>[] = [],
    more: Record<string, string> = {},
  ): void {
    const at = "2026-11-18T10:00:00.000Z";
    const report: ExecutionReport = {
      format: 1,
      run_summary: {
        status: "SUCCESS",
        turn,
        plan_title: "a plan",
        agent: "dev",
        started_at: at,
        ended_at: at,
        duration_ms: 1,
        counts: { success: actions.length, failure: 0, skipped: 0, denied: 0 },
        memos: { answer: "none", changes: [] },
      },
      action_log: actions.map((action, index) => ({
        action: index + 1,
        type: "CHAT_WITH_USER",
        description: "",
        status: "SUCCESS",
        parameters: {},
        duration_ms: 1,
        ...action,
      })),
    };
    const files = Object.entries({ "report.md": `${JSON.stringify(report, undefined, 2)}\n`, ...more });
    this.store.commit(
      session,
      turn,
      files.map(([name, content]) => ({ name, content: assumeRedacted(content) })),
      assumeRedacted<TurnLine>({ v: 1, turn, at, type: "executed", status: "SUCCESS", hashes: {}, files: [] }),
    );
  }
}

interface Planned {
  type: string;
  turn: string;
  path: string;
  agent: string;
  plan?: { title: string; actions: { type: string; about: string }[] };
  problems: { line: number; message: string; picture: string }[];
  repairs: number;
}

/** Plans with these options, and returns what came of it. */
export async function plan(repo: Repo, ...options: string[]): Promise<Planned> {
  const { code, stdout, stderr } = await repo.run(["session", "plan", ...options, "--json"]);
  const last = JSON.parse(stdout.trim().split("\n").at(-1)!) as Planned;
  if (last.type !== "planned") throw new Error(`exit ${code}: ${stdout}${stderr}`);
  return last;
}
