import { Command } from "commander";
import type { AnyInboxItem } from "../../contract/api/inbox.ts";
import { print, type CliContext, type JsonOption, type Screen } from "../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../paging.ts";
import { unknownCommand } from "../unknown-command.ts";
import { clean, cleanLine } from "../terminal/clean.ts";
import { widthOf } from "../terminal/width.ts";
import { wrapLines } from "../terminal/wrap.ts";

export function define(context: CliContext): Command {
  const inbox = new Command("inbox")
    .description(
      "What waits for a person, over all sessions and beads: decisions, approvals, permissions, what could not be started.",
    )
    .addOption(limitOption())
    .addOption(afterOption())
    .option("--json", "print JSON")
    .enablePositionalOptions()
    .addHelpText(
      "after",
      '\nExamples:\n  $ clew inbox\n  $ clew inbox answer q-k3x9qa "Yes, drop the old table"\n  $ clew inbox answer q-perm4k2m9xab allow',
    )
    .usage("[options] [answer ID TEXT]")
    .argument("[word...]")
    .action(async (words: string[], { json, ...page }: JsonOption & PageOptions) => {
      if (words[0] !== undefined) throw unknownCommand(words[0], inbox);
      const list = await context.api.inbox.list(page);
      const { items, next } = list;
      await print(context.output, json, list, () =>
        pageText(context.terminal, { count: items.length, after: page.after, next }, () =>
          items.length === 0
            ? "Nothing waits for you."
            : items.map((item) => block(context.terminal, item)).join("\n\n"),
        ),
      );
    });
  inbox
    .command("answer")
    .description(
      "Answers an item. The answer is appended to the session that asked; a run that waits goes on with it, as by clew run approve and the like, and decides on output and exit code.",
    )
    .argument("<id>", "the item's id, as clew inbox shows it")
    .argument("<text>", "the answer")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  $ clew inbox answer q-k3x9qa "Yes, drop the old table"')
    .action(async (id: string, text: string, { json }: JsonOption) => {
      const result = await context.api.inbox.answer({ id, text });
      const { session_id, run } = result;
      const wantsJson = json ?? inbox.opts<JsonOption>().json ?? false;
      if (!run) return print(context.output, wantsJson, result, () => `Answered ${id} in ${session_id}`);
      // An agent that waits goes on by itself, in the process that drives its run.
      if (run.kind === "permission" && run.is_driven) {
        const words = `Answered ${id}: the agent of run ${run.id} goes on`;
        return print(context.output, wantsJson, result, () => words);
      }
      // The same as clew run approve, reject, changes, retry and cancel.
      const { driveAfterSignal } = await import("./run/drive-after-signal.ts");
      return driveAfterSignal(context, { runId: run.id, kind: run.kind, json: wantsJson });
    });
  return inbox;
}

function block(screen: Screen, item: AnyInboxItem): string {
  const { colors } = screen;
  const { id, kind, text } = item;
  const what = kind === "permission" ? kind : kind === "approval_required" ? "approval" : "decision";
  const head = `${colors.bold(cleanLine(id))}  ${colors.yellow(what)}`;
  const where = "phase" in item ? `${item.session_id} › ${cleanLine(item.phase)}` : "";
  const title = "title" in item && item.title !== undefined ? wrapLines(screen, cleanLine(item.title), "  ") : [];
  return [
    ...headLines(screen, head, where),
    ...title.map((line) => colors.dim(line)),
    ...wrapLines(screen, clean(text), "  "),
  ].join("\n");
}

/** What and where in one line, or in two where one is too narrow. */
function headLines(screen: Screen, head: string, where: string): string[] {
  if (where === "") return [head];
  const fits = !screen.onTerminal || widthOf(head) + 2 + widthOf(where) <= screen.width;
  return fits ? [`${head}  ${where}`] : [head, ...wrapLines(screen, where, "  ")];
}
