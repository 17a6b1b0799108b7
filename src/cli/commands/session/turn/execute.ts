import type { Command } from "commander";
import type { ExecutionNews, ExecutionResult } from "../../../../contract/api/turn-execution.ts";
import { print, type CliContext } from "../../../context.ts";
import { CommandOutput } from "../../../terminal/command-output.ts";
import {
  viewAction,
  viewDone,
  viewExecutionEnd,
  viewExecutionStart,
  viewMemoChanges,
  viewResults,
} from "../../../terminal/execution-view.ts";
import { ExecutionPrompt } from "./execution-prompt.ts";
import { turnSession, type TurnOptions } from "./turn-session.ts";

interface ExecuteOptions extends TurnOptions {
  yes?: boolean;
  dryRun?: boolean;
}

export function defineExecute(session: Command, context: CliContext): void {
  session
    .command("execute")
    .description("Executes a plan: each action is shown and approved, and the report is written.")
    .argument("[turn]", "the turn; without it, the latest plan without a report")
    .option("-s, --session <id>", "the session; without it, the one that was made last")
    .option("-y, --yes", "approve all actions; memo changes and what steers Clew itself are asked about all the same")
    .option("--dry-run", "show all of it, and do nothing")
    .option("--json", "print JSON; nothing is asked then")
    .addHelpText(
      "after",
      `
At each action: a approves, d denies (d REASON says why), e edits it in $EDITOR, r approves the rest, v shows all
of it in the pager, s ends the turn with a report, ? explains. Ctrl-C before anything was done leaves the plan as it is.
Without a terminal, what needs approval is refused before anything is done, unless -y or a policy allows it.

Examples:
  $ clew session execute
  $ clew session execute 02 --dry-run
  $ clew session execute -y`,
    )
    .action(async (turn: string | undefined, options: ExecuteOptions) => {
      const request = { ...turnSession(context, options.session), ...(turn !== undefined && { turn }) };
      if (options.dryRun) return showPreview(context, request, options.json);
      if (options.json || !context.input.interactive) return executeUnasked(context, request, options);
      await executeOnTerminal(context, request, options.yes === true);
    });
}

type TurnRequest = { session?: string; turn?: string };

const exitCodes: Record<ExecutionResult["status"], number> = { SUCCESS: 0, PARTIAL: 0, FAILURE: 1, ABORTED: 1 };

function exitCodeOf({ status, interrupted }: ExecutionResult): number {
  return interrupted ? 130 : exitCodes[status];
}

async function showPreview(context: CliContext, request: TurnRequest, json: boolean | undefined): Promise<void> {
  const { terminal, output } = context;
  const preview = await context.api.turns.preview(request);
  await print(output, json, preview, () => {
    const memos = preview.memos.length === 0 ? [] : ["Memo changes", ...viewMemoChanges(terminal, preview.memos), ""];
    const actions = preview.actions.map(
      (shown) => `${viewAction(terminal, shown, preview.actions.length, Infinity)}\n`,
    );
    return [viewExecutionStart(terminal, preview), ...memos, ...actions, "nothing was done"].join("\n");
  });
}

/** Where nobody can be asked. */
async function executeUnasked(
  context: CliContext,
  request: TurnRequest,
  { yes, json }: Pick<ExecuteOptions, "yes" | "json">,
): Promise<void> {
  const stop = new AbortController();
  void context.input.untilInterrupted().then(() => stop.abort());
  const approve = yes ? "all" : "allowed";
  const result = await context.api.turns.executeApproved({ ...request, approve }, { signal: stop.signal });
  context.input.closeStdin();
  await print(context.output, json, result, () => {
    return [...viewResults(context.terminal, result), viewExecutionEnd(context.terminal, result)].join("\n");
  });
  context.exitCode = exitCodeOf(result);
}

async function executeOnTerminal(context: CliContext, request: TurnRequest, yes: boolean): Promise<void> {
  const stop = new AbortController();
  void context.input.untilInterrupted().then(() => stop.abort());
  context.output.muteProgress();
  const prompt = new ExecutionPrompt(context, stop.signal);
  const command = new CommandOutput(context);
  const stream = await context.api.turns.execute({ ...request, approve: yes ? "all" : "ask" }, { signal: stop.signal });
  try {
    for await (const news of stream) {
      if (news.type !== "question") {
        await show(context, news, command);
        continue;
      }
      const answer = await prompt.answer(news.question);
      // Ctrl-C has ended the question, and the execution knows; Ctrl-D means the same.
      if (answer === undefined) stop.abort();
      else await context.api.turns.answer({ id: news.id, answer });
    }
  } finally {
    await command.end();
    context.input.closeStdin();
  }
}

async function show(
  context: CliContext,
  news: Exclude<ExecutionNews, { type: "question" }>,
  command: CommandOutput,
): Promise<void> {
  const { terminal, output } = context;
  switch (news.type) {
    case "started":
      return output.write(`${viewExecutionStart(terminal, news)}\n`);
    case "action":
      return output.write(`${viewAction(terminal, news.shown, news.of)}\n`);
    case "running":
      return command.begin();
    case "output":
      return command.write(news.text);
    case "done":
      await command.end();
      return output.write(`${viewDone(terminal, news.done)}\n\n`);
    case "memos":
      return output.write(`  memo changes ${news.answer}${news.by === "setting" ? " by your settings" : ""}\n\n`);
    case "ended": {
      context.exitCode = exitCodeOf(news);
      return output.write(viewExecutionEnd(terminal, news));
    }
  }
}
