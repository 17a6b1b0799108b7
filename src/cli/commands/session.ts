import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { addSubcommands, type CommandGroup } from "../subcommands.ts";
import { defineList } from "./session/list.ts";

const groups: CommandGroup[] = [
  { names: ["start"], load: async () => (await import("./session/start.ts")).defineStart },
  { names: ["log"], load: async () => (await import("./session/log.ts")).defineLog },
  {
    names: ["pause", "end", "rename", "archive", "delete"],
    load: async () => (await import("./session/lifecycle.ts")).defineLifecycle,
  },
  { names: ["list"], load: async () => defineList },
  { names: ["show"], load: async () => (await import("./session/show.ts")).defineShow },
  { names: ["breadcrumbs"], load: async () => (await import("./session/breadcrumbs.ts")).defineBreadcrumbs },
  { names: ["breadcrumb"], load: async () => (await import("./session/breadcrumbs.ts")).defineBreadcrumb },
  { names: ["tree"], load: async () => (await import("./session/reports.ts")).defineTree },
  { names: ["timeline"], load: async () => (await import("./session/reports.ts")).defineTimeline },
  { names: ["export"], load: async () => (await import("./session/reports.ts")).defineExport },
  { names: ["codify"], load: async () => (await import("./session/codify.ts")).defineCodify },
  { names: ["stats"], load: async () => (await import("./session/stats.ts")).defineStats },
  { names: ["resume"], load: async () => (await import("./session/resume.ts")).defineResume },
  {
    names: ["agents", "send", "stop-agent"],
    load: async () => (await import("./session/agents.ts")).defineSessionAgents,
  },
  { names: ["import"], load: async () => (await import("./session/import.ts")).defineImport },
  { names: ["share"], load: async () => (await import("./session/import.ts")).defineShare },
  { names: ["learn"], load: async () => (await import("./session/learn.ts")).defineLearn },
  { names: ["new"], load: async () => (await import("./session/turn/new.ts")).defineNew },
  { names: ["context"], load: async () => (await import("./session/turn/context.ts")).defineContext },
  { names: ["plan"], load: async () => (await import("./session/turn/plan.ts")).definePlan },
  { names: ["branch"], load: async () => (await import("./session/turn/branch.ts")).defineBranch },
  { names: ["execute"], load: async () => (await import("./session/turn/execute.ts")).defineExecute },
  { names: ["undo"], load: async () => (await import("./session/turn/undo.ts")).defineUndo },
  { names: ["diff"], load: async () => (await import("./session/turn/diff.ts")).defineDiff },
  { names: ["verify"], load: async () => (await import("./session/turn/verify.ts")).defineVerify },
  { names: ["turns"], load: async () => (await import("./session/turn/turns.ts")).defineTurns },
  { names: ["search"], load: async () => (await import("./search.ts")).defineSearch },
];

export async function define(context: CliContext, words?: string[]): Promise<Command> {
  const session = new Command("session")
    .description("Sessions: one readable file each, with phases, tool calls, decisions, errors and the user's words.")
    .addHelpText(
      "after",
      `
Examples:
  $ clew session start "Fix the login" --channel dev --agent coder@2
  $ clew session log decision "Use JWT"
  $ clew session show latest

A session is named by its id, a unique prefix, a path, or latest; without a name: CLEW_SESSION, else the one active session.`,
    );
  return addSubcommands(session, context, groups, words?.[0]);
}
