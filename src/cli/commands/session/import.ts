import { Option, type Command } from "commander";
import type { ImportResult } from "../../../contract/api/import.ts";
import { importedEngines, type ImportedEngine } from "../../../contract/import-values.ts";
import { print, type CliContext } from "../../context.ts";
import { readSince } from "../../read-since.ts";
import { viewImport } from "../../terminal/import-view.ts";

interface ImportOptions {
  engine?: ImportedEngine;
  since?: string;
  allProjects?: boolean;
  watch?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function defineImport(session: Command, context: CliContext): void {
  session
    .command("import")
    .description(
      "Makes sessions of what Claude Code, Codex, Gemini, Qwen and opencode left on this machine. Safe to repeat.",
    )
    .addOption(new Option("--engine <name>", "only of this engine").choices(importedEngines))
    .option("--since <date>", "only what was written to since: 2026-11-01, or so long ago: 1d, 2w, 12h", (text) =>
      readSince(text, context.terminal.nowMs()),
    )
    .option("--all-projects", "also what was done in other folders than this repository's")
    .option("--watch", "go on as the engines do, until Ctrl-C")
    .option("--dry-run", "only tell what would be imported")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Example:
  $ clew session import --since 2w

Imported sessions are of the kind import. Git does not see them before: clew session share ID`,
    )
    .action(async ({ engine, since, allProjects, watch, dryRun, json }: ImportOptions) => {
      const request = { engine, since, all_projects: allProjects, dry_run: dryRun };
      const show = (result: ImportResult): Promise<void> =>
        print(context.output, json, result, () => viewImport(context.terminal, result, dryRun === true));
      if (!watch) return show(await context.api.imports.run(request));
      const stop = new AbortController();
      void context.input.untilInterrupted().then(() => stop.abort());
      for await (const result of await context.api.imports.follow(request, { signal: stop.signal })) await show(result);
    });
}

export function defineShare(session: Command, context: CliContext): void {
  session
    .command("share")
    .description("Lets git see imported sessions, so that they can be committed.")
    .argument("<id...>", "the sessions")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session share latest")
    .action(async (sessions: string[], { json }: { json?: boolean }) => {
      const result = await context.api.imports.share({ sessions });
      await print(context.output, json, result, () => result.shared.map((id) => `Git sees ${id}`).join("\n"));
    });
}
