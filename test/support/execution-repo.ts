import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assumeRedacted } from "../../src/contract/redacted.ts";
import type { ExecutionReport } from "../../src/contract/turn-report.ts";
import type { TurnLine } from "../../src/contract/turn.ts";
import { readReport } from "../../src/turn/report/read-report.ts";
import { onTerminal } from "./terminal.ts";
import { planText, TurnRepo } from "./turn-repo.ts";

const fence = "~~~~~~";

/** Actions of plans, as agents write them. */
export const action = {
  create: (path: string, content: string, more = ""): string =>
    `### \`CREATE\`\n- **File Path:** [${path}](/${path})\n- **Description:** the file\n${more}${fence}\n${content}\n${fence}\n`,
  edit: (path: string, find: string, replace: string, more = ""): string =>
    `### \`EDIT\`\n- **File Path:** [${path}](/${path})\n- **Description:** change it\n${more}#### \`FIND:\`\n${fence}\n${find}\n${fence}\n#### \`REPLACE:\`\n${fence}\n${replace}\n${fence}\n`,
  execute: (command: string, more = ""): string =>
    `### \`EXECUTE\`\n- **Description:** run it\n- **Expected Outcome:** it works\n${more}${fence}shell\n${command}\n${fence}\n`,
  read: (...paths: string[]): string =>
    `### \`READ\`\n- **Description:** look\n${fence}\n${paths.join("\n")}\n${fence}\n`,
  research: (...sources: string[]): string =>
    `### \`RESEARCH\`\n- **Description:** find out\n${fence}\n${sources.join("\n")}\n${fence}\n`,
  chat: (text: string): string => `### \`CHAT_WITH_USER\`\n- **Description:** ask\n${fence}\n${text}\n${fence}\n`,
  invoke: (agent: string, text: string): string =>
    `### \`INVOKE\`\n- **Agent:** ${agent}\n- **Description:** hand over\n${fence}\n${text}\n${fence}\n`,
};

/** A repository with a session whose turns hold plans that no engine was asked for. */
export class ExecutionRepo extends TurnRepo {
  session = "";

  static async begin(): Promise<ExecutionRepo> {
    const repo = new ExecutionRepo();
    repo.session = await repo.newSession("work");
    return repo;
  }

  /** Makes a turn with a plan of these actions, or with this text. */
  plan(turn: string, actions: string[] | string, memos: string[] = []): void {
    const text =
      typeof actions === "string"
        ? actions
        : planText(`Plan ${turn}`, { vault: ["README.md"], actions: actions.join("\n") }).replace(
            "## Action Plan",
            memos.length === 0 ? "## Action Plan" : `## Memos\n${memos.join("\n")}\n\n## Action Plan`,
          );
    const number = Number(turn);
    const line: TurnLine = {
      v: 1,
      turn,
      at: "2026-11-18T10:00:00.000Z",
      type: "planned",
      after: number > 1 ? String(number - 1).padStart(2, "0") : null,
      agent: "dev",
      engine: "scripted",
      beside_context: [],
      hashes: {},
      repairs: 0,
    };
    const files = { "turn.context": "README.md\n", "_context.log": "what was sent\n", "plan.md": text };
    this.store.commit(
      this.session,
      turn,
      Object.entries(files).map(([name, content]) => ({ name, content: assumeRedacted(content) })),
      assumeRedacted(line),
    );
  }

  report(turn: string): ExecutionReport {
    const { report, problems } = readReport(this.turnFile(this.session, turn, "report.md"));
    if (!report) throw new Error(JSON.stringify(problems));
    return report;
  }

  /** The status of each action. */
  statuses(turn: string): string[] {
    return this.report(turn).action_log.map(({ status }) => status);
  }

  hasReport(turn: string): boolean {
    return existsSync(join(this.root, ".clew/sessions", this.session, turn, "report.md"));
  }

  /** Undefined when there is no such file. */
  text(path: string): string | undefined {
    return existsSync(join(this.root, path)) ? readFileSync(join(this.root, path), "utf8") : undefined;
  }

  /** Executes on a terminal, where each question is answered by the next of these; what a person does while it stands comes first. */
  async answer(
    args: string[],
    answers: [seen: string, typed: string, does?: () => void][],
    env: Record<string, string> = {},
  ) {
    const types = answers.map(([seen, typed, does]): [string, string, (() => void) | undefined] => [
      seen,
      `${typed}\n`,
      does,
    ]);
    return onTerminal(this, ["session", "execute", ...args], { types, env: { ...this.env, ...env }, columns: 100 });
  }
}
