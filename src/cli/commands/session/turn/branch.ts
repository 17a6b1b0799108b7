import type { Command } from "commander";
import { ClewError } from "../../../../contract/errors.ts";
import { print, type CliContext } from "../../../context.ts";
import { turnSession, type TurnOptions } from "./turn-session.ts";

interface BranchOptions extends TurnOptions {
  message?: string;
  samePlan?: boolean;
  agent?: string;
  engine?: string;
  model?: string;
  repair?: boolean;
}

export function defineBranch(session: Command, context: CliContext): void {
  session
    .command("branch")
    .description("Makes a branch of a turn: the same context as it was recorded, for another plan.")
    .argument("<turn>", "the turn, such as 02 or 02-branch-01")
    .option("-m, --message <text>", "plan at once, with this message")
    .option("--same-plan", "with the turn's own plan, to execute it again; no agent is asked")
    .option("-s, --session <id>", "the session; without it, the one that was made last")
    .option("-a, --agent <name>", "with -m: who plans")
    .option("--engine <name>", "with -m: the engine")
    .option("--model <name>", "with -m: the model")
    .option("--repair", "with -m: hand errors back to the agent, at most twice")
    .option("--json", "print JSON; with -m, JSON lines")
    .addHelpText(
      "after",
      `
Without -m, the branch is empty until the next clew session plan -m TEXT, which fills it. With --same-plan it has the plan
of the turn: that is how a turn is done again that failed, was stopped, or was undone.

Examples:
  $ clew session branch 02
  $ clew session branch 02 -m "The same, without a new dependency"
  $ clew session branch 02 --same-plan && clew session execute`,
    )
    .action(async (turn: string, options: BranchOptions) => {
      const { message, json, samePlan } = options;
      if (samePlan && message !== undefined)
        throw new ClewError("invalid_input", "--same-plan asks no agent, and -m does", "leave one of them out");
      const request = { ...turnSession(context, options.session), turn, ...(samePlan && { same_plan: true }) };
      const made = await context.api.turns.branch(request);
      if (made.still_changed.length > 0)
        context.output.say(
          `the changes of turn ${turn} are still in the files; to take them back: clew session undo ${turn} -s ${made.session_id}`,
        );
      if (message === undefined) {
        const does = samePlan ? `execute ${made.turn}` : "plan -m TEXT";
        const next = `Next: clew session ${does} -s ${made.session_id}`;
        return print(context.output, json, made, () =>
          `${made.path}\n${context.terminal.onTerminal ? next : ""}`.trimEnd(),
        );
      }
      if (json) await context.output.writeJson(made);
      else context.output.say(`branch ${made.turn}`);
      try {
        await planIn(context, made, message, options);
      } catch (error) {
        context.output.say(
          `the branch ${made.turn} stays, without a plan: clew session plan --from ${made.turn} -s ${made.session_id} -m TEXT fills it`,
        );
        throw error;
      }
    });
}

async function planIn(
  context: CliContext,
  { session_id, turn }: { session_id: string; turn: string },
  message: string,
  { agent, engine, model, repair, json }: BranchOptions,
): Promise<void> {
  const { showPlanning } = await import("./show-planning.ts");
  const interrupt = new AbortController();
  const stream = await context.api.turns.plan(
    {
      session: session_id,
      from: turn,
      message,
      ...(agent !== undefined && { agent: agent.replace(/^@/, "") }),
      ...(engine !== undefined && { engine }),
      ...(model !== undefined && { model }),
      ...(repair && { repair }),
    },
    { signal: interrupt.signal },
  );
  await showPlanning(context, stream, interrupt, json);
}
