import { Command, Option } from "commander";
import { ClewError } from "../../contract/errors.ts";
import type { WorkRequest } from "../../contract/api/work.ts";
import { permissionLevels, type PermissionLevel } from "../../contract/engine-abilities.ts";
import type { WorkKind } from "../../contract/work-state.ts";
import type { CliContext, JsonOption } from "../context.ts";
import { addLimitOptions, limitsOf, type LimitOptions } from "../limit-options.ts";
import { simulationText } from "../terminal/work-view.ts";
import { unknownCommand } from "../unknown-command.ts";
import { kindOfBead } from "./work/kind-of-bead.ts";
import { workExitCodes, workInTerminal } from "./work/show-work.ts";

interface WorkOptions extends JsonOption, LimitOptions {
  engine?: string;
  session?: string;
  model?: string;
  agent?: string;
  level?: PermissionLevel;
  simulate?: boolean;
  anyway?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

const abouts: Record<WorkKind, string> = {
  task: "works on one bead",
  phase: "works on what is ready below a stage, and closes it when all below is done",
  track: "works on what is ready below a track, and closes it when all below is done",
  issue: "works on one bead; the same as task",
};

export function define(context: CliContext): Command {
  const work = new Command("work")
    .description(
      "Has an agent work on a bead in this checkout, in a work session that can go on over many engine sessions.",
    )
    .addHelpText(
      "after",
      `
Without a word before it, a bead that contains unfinished others is worked on as a track, any other as a task.
The session is made, or the bead's own one goes on, on the same engine or another. Without a valid final result the work
stops hard (exit 1) and the bead is as before; an agent that stops by itself, a limit and Ctrl-C pause it.

Examples:
  $ clew work proj-a3f
  $ clew work task proj-a3f --engine codex
  $ clew work track proj-release --max-cost 5
  $ clew work task proj-a3f --simulate`,
    );
  const kind = (name: WorkKind): Command =>
    addOptions(work.command(name))
      .description(abouts[name])
      .argument("<bead>", "the bead, by its id or the beginning of it")
      .addHelpText("after", `\nExample:\n  $ clew work ${name} proj-a3f`);
  // Options before the kind count, too.
  const all = (options: WorkOptions): WorkOptions => ({ ...work.opts<WorkOptions>(), ...options });
  kind("task").action((bead: string, options: WorkOptions) => act(context, { kind: "task", bead }, all(options)));
  kind("phase").action((bead: string, options: WorkOptions) => act(context, { kind: "phase", bead }, all(options)));
  kind("track").action((bead: string, options: WorkOptions) => act(context, { kind: "track", bead }, all(options)));
  kind("issue").action((bead: string, options: WorkOptions) => act(context, { kind: "issue", bead }, all(options)));
  addOptions(work)
    .enablePositionalOptions()
    .usage("[task|phase|track|issue] <bead> [options]")
    .argument("[bead...]")
    .action(async ([bead, ...more]: string[], options: WorkOptions) => {
      if (bead === undefined) throw new ClewError("usage", "which bead?", "clew work BEAD; clew bead ready lists them");
      if (more.length > 0) throw unknownCommand(bead, work);
      return act(context, { kind: await kindOfBead(context, bead), bead }, options);
    });
  return work;
}

function addOptions(command: Command): Command {
  return addLimitOptions(command)
    .option("--engine <name>", "the engine: claude, codex, … (clew engine list)")
    .option("-s, --session <id>", "the work session to go on with")
    .option("--model <name>", "the model, as the engine calls it")
    .option("--agent <name>", "the agent in .clew/agents/NAME.md: its engine, role, model and level")
    .addOption(
      new Option("--level <level>", "what it may do unasked: work, unless its agent says otherwise").choices(
        permissionLevels,
      ),
    )
    .option("--anyway", "also when it waits for beads that are not closed")
    .option("--simulate", "tell what would be done, and do nothing")
    .option("-q, --quiet", "print only the answer")
    .option("--verbose", "print every event of the agent, as JSON lines on stderr")
    .option("--json", "print JSON lines: what the agent does, and how it ended");
}

async function act(
  context: CliContext,
  asked: Pick<WorkRequest, "kind" | "bead">,
  options: WorkOptions,
): Promise<void> {
  const request: WorkRequest = { ...asked, ...chosen(options), ...limitsOf(options) };
  if (options.simulate) {
    const simulation = await context.api.work.simulate(request);
    if (options.json) return context.output.writeJson(simulation);
    return context.output.write(simulationText(simulation, context.terminal));
  }
  const ended = await workInTerminal(context, await context.api.work.drive(request), options);
  context.exitCode = workExitCodes[ended.reason];
}

function chosen({ engine, session, model, agent, level, anyway }: WorkOptions): Partial<WorkRequest> {
  return {
    ...(engine !== undefined && { engine }),
    ...(session !== undefined && { session }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    ...(level !== undefined && { level }),
    ...(anyway && { anyway }),
  };
}
