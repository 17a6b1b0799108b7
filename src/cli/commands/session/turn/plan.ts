import type { Command } from "commander";
import type { TurnsApi } from "../../../../contract/api/turn.ts";
import { ClewError } from "../../../../contract/errors.ts";
import { print, type CliContext } from "../../../context.ts";
import { addLimitOptions, limitsOf, type LimitOptions } from "../../../limit-options.ts";
import { readInput } from "../../../read-input.ts";
import { readCount } from "../../../read-count.ts";
import { turnSession, type TurnOptions } from "./turn-session.ts";

interface PlanOptions extends TurnOptions, LimitOptions {
  message?: string;
  agent?: string;
  from?: string;
  engine?: string;
  model?: string;
  budget?: number;
  repair?: boolean;
  check?: string;
  quiet?: boolean;
}

export function definePlan(session: Command, context: CliContext): void {
  addLimitOptions(session.command("plan"))
    .description("Has an agent write the next plan, from the files of the context lists; or checks one.")
    .option("-m, --message <text>", "what to do; may be left out where the last plan handed over to an agent")
    .option("-s, --session <id>", "the session; without it, the one that was made last")
    .option("-a, --agent <name>", "who plans: pathfinder, dev, architect, debugger, or one of .clew/agents")
    .option("--from <turn>", "the turn after which it stands, or the empty branch that it fills")
    .option("--engine <name>", "the engine: that of the agent's file, or the configured one")
    .option("--model <name>", "the model, as the engine calls it")
    .option("--budget <tokens>", "how much may be sent, in tokens", readCount)
    .option(
      "--repair",
      "hand the errors of a plan back to the agent, at most twice; without -m, those of the last plan",
    )
    .option("--check <file>", "check the plan in this file (- for stdin), and ask no agent")
    .option("-q, --quiet", "print only the path of plan.md")
    .option("--json", "print JSON lines: how it goes on, and the plan")
    .addHelpText(
      "after",
      `
What the agent is told is kept in the turn's folder as _context.log, byte for byte, and its answer as plan.md. Nothing is done by
planning: clew session execute carries a plan out, and asks for each action.

Examples:
  $ clew session plan -m "Add a login form"
  $ clew session plan -m "Now the tests" -a dev
  $ clew session plan --repair
  $ clew session plan --check plan.md`,
    )
    .action(async (options: PlanOptions) => {
      if (options.check !== undefined) return check(context, options.check, options);
      const { message, agent, from, engine, model, budget, repair } = options;
      const interrupt = new AbortController();
      const request = {
        ...turnSession(context, options.session),
        ...(message !== undefined && { message }),
        ...(agent !== undefined && { agent: agent.replace(/^@/, "") }),
        ...(from !== undefined && { from }),
        ...(engine !== undefined && { engine }),
        ...(model !== undefined && { model }),
        ...(budget !== undefined && { budget }),
        ...(repair && { repair }),
        ...limitsOf(options),
      };
      if (options.quiet) return planQuietly(context, request, interrupt, options.json);
      const { showPlanning } = await import("./show-planning.ts");
      await showPlanning(
        context,
        await context.api.turns.plan(request, { signal: interrupt.signal }),
        interrupt,
        options.json,
      );
    });
}

async function planQuietly(
  context: CliContext,
  request: Parameters<TurnsApi["makePlan"]>[0],
  interrupt: AbortController,
  json: boolean | undefined,
): Promise<void> {
  const { input, output } = context;
  void input.untilInterrupted().then(() => interrupt.abort());
  try {
    const planned = await context.api.turns.makePlan(request, { signal: interrupt.signal });
    await print(output, json, planned, () => `${planned.path}/plan.md`);
    if (!planned.plan) context.exitCode = 2;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ClewError("interrupted", "the plan was given up; no turn was made", "plan again when you like");
  } finally {
    input.closeStdin();
  }
}

async function check(context: CliContext, file: string, options: PlanOptions): Promise<void> {
  const others = ["message", "agent", "from", "repair"] as const;
  const other = others.find((name) => options[name] !== undefined);
  if (other !== undefined)
    throw new ClewError("usage", `--check asks no agent, and takes no --${other}`, "leave it out");
  const text = await readInput(context.input, file);
  const checked = await context.api.turns.check({ text, file });
  const { viewCheckedPlan } = await import("../../../terminal/plan-view.ts");
  await print(context.output, options.json, checked, () => viewCheckedPlan(context.terminal, checked, file));
  if (!checked.plan) context.exitCode = 2;
}
