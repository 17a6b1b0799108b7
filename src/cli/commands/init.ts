import { Command } from "commander";
import { engineTitles } from "../../contract/engine-settings.ts";
import { number } from "../terminal/time.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";

/** `214 sessions of Claude Code and Codex in this project: clew session import`. */
function importLine(importable: { engine: string; sessions: number }[]): string {
  const count = importable.reduce((sum, { sessions }) => sum + sessions, 0);
  const names = importable.map(({ engine }) => engineTitles[engine] ?? engine);
  const last = names.pop()!;
  const engines = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  return `${number(count)} ${count === 1 ? "session" : "sessions"} of ${engines} in this project: clew session import`;
}

export function define(context: CliContext): Command {
  return new Command("init")
    .description(
      "Sets up .clew/ in this git repository, with ignore rules. Safe to repeat; after an upgrade it brings what is new.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew init")
    .action(async ({ json }: JsonOption) => {
      const result = await context.api.repository.init({});
      const { root, made, renewed, importable } = result;
      await print(context.output, json, result, () => {
        const changes = [
          ...(made.length > 0 ? [`Made ${made.join(", ")}`] : []),
          ...(renewed.length > 0 ? [`Brought up to this version: ${renewed.join(", ")}`] : []),
        ];
        const lines = changes.length === 0 ? [`Everything is in place in ${root}/.clew`] : changes;
        if (importable.length > 0) lines.push(importLine(importable));
        if (changes.length > 0) lines.push('Next: clew session start "What you are about to do"');
        return lines.join("\n");
      });
    });
}
