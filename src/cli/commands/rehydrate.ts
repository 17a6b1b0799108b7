import { Command } from "commander";
import type { Rehydration } from "../../contract/rehydration.ts";
import { print, type CliContext, type Screen } from "../context.ts";
import { readCount } from "../read-count.ts";
import { clean } from "../terminal/clean.ts";
import { wrapWords } from "../terminal/wrap.ts";
import { sessionOption, type SessionOptions } from "./session/session-name.ts";

interface RehydrateOptions extends SessionOptions {
  budget?: number;
}

export function define(context: CliContext): Command {
  return new Command("rehydrate")
    .description("Prints where an agent stands: step, notes, decisions, missing evidence, continue token.")
    .option("-s, --session <id>", "the session; without it CLEW_SESSION, the caller's own, or the one that is active")
    .option("--budget <tokens>", "how long it may be, in tokens", readCount)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
For an agent whose context was cut, and for whoever takes over from it. Engines with the hooks of Clew get the same by
themselves after a compaction; a connected agent gets it by the tool workflow_resume, too.

Examples:
  $ clew rehydrate
  $ clew rehydrate --session latest --json`,
    )
    .action(async ({ session: flag, budget, json }: RehydrateOptions) => {
      const session = sessionOption(context, undefined, flag);
      const result = await context.api.sessions.rehydrate({ session, ...(budget !== undefined && { budget }) });
      await print(context.output, json, result, () => viewRehydration(context.terminal, result));
    });
}

/** On a terminal within its width; what is quoted stays so. In a pipe, as agents get it. */
function viewRehydration({ onTerminal, width, colors }: Screen, { text }: Rehydration): string {
  if (!onTerminal) return text;
  const lines = clean(text).split("\n");
  return lines
    .flatMap((line) => {
      const [, mark = "", rest = ""] = /^(> |- )?(.*)$/.exec(line) ?? [];
      // A token that is broken over lines cannot be copied.
      if (rest.startsWith("Continue token: ")) return [line];
      const pieces = wrapWords(rest, width - mark.length);
      const indent = mark === "- " ? "  " : mark;
      const wrapped = pieces.map((piece, at) => `${at === 0 ? mark : indent}${piece}`);
      return line.startsWith("#") ? wrapped.map((each) => colors.bold(each)) : wrapped;
    })
    .join("\n");
}
