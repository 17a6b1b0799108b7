import { Option, type Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { exportFormats, type ExportFormat } from "../../../contract/report-values.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { formOfFile, type FormEnding } from "../../form-of-file.ts";
import { readCount } from "../../read-count.ts";
import { writeNewFile } from "../../write-new-file.ts";
import { periodOptions, periodRequest, type PeriodOptions } from "./period-options.ts";
import { resolveSessionName, sessionOption, type SessionOptions } from "./session-name.ts";

export function defineTree(session: Command, context: CliContext): void {
  session
    .command("tree")
    .description(
      "Shows a session with the sessions of its subagents, their status, tokens and cost; or the newest that have any.",
    )
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("--limit <n>", "at most so many trees (default: 20)", readCount)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session tree latest")
    .action(async (name: string | undefined, { session: flag, json, limit }: SessionOptions & { limit?: number }) => {
      const id = name ?? flag;
      const request = { ...(id !== undefined && { session: resolveSessionName(context, id) }), limit };
      const tree = await context.api.sessions.tree(request);
      const { viewSessionTrees } = await import("../../terminal/session-tree-view.ts");
      await print(context.output, json, tree, () => viewSessionTrees(context.terminal, tree.sessions));
    });
}

export function defineTimeline(session: Command, context: CliContext): void {
  session
    .command("timeline")
    .description(
      "Shows what happened in a session, by time: engines, phases, calls, breadcrumbs, tasks, pauses, errors.",
    )
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session timeline latest")
    .action(async (name: string | undefined, { session: flag, json }: SessionOptions) => {
      const timeline = await context.api.sessions.timeline({ session: sessionOption(context, name, flag) });
      const { viewTimeline } = await import("../../terminal/timeline-view.ts");
      await print(context.output, json, timeline, () => viewTimeline(context.terminal, timeline));
    });
}

interface ExportOptions extends JsonOption, PeriodOptions {
  format?: ExportFormat | "json";
  output?: string;
}

const endings: readonly FormEnding<ExportFormat | "json">[] = [
  { name: /\.html?$/, forms: ["html"] },
  { name: /\.(?:md|markdown)$/, forms: ["markdown"] },
  { name: /\.json$/, forms: ["json"] },
];

export function defineExport(session: Command, context: CliContext): void {
  const command = session
    .command("export")
    .description(
      "Writes sessions for people and programs elsewhere: JSON, Markdown, or one HTML page that needs nothing else. Without ids: what the sessions of a period add up to.",
    )
    .argument("[id...]", "the sessions")
    .addOption(
      new Option("--format <format>", "json, markdown or html; without it as FILE ends, else json").choices([
        "json",
        ...exportFormats,
      ]),
    )
    .option("-o, --output <file>", "write there, and not to stdout; a file that is there stays");
  periodOptions(command);
  command
    .option("--json", "the same as --format json")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew session export latest --format html -o session.html\n  $ clew session export latest --format markdown\n  $ clew session export --since 2w --format html -o two-weeks.html",
    )
    .action(async (names: string[], { format: asked, output, json, ...options }: ExportOptions) => {
      if (json && asked !== undefined && asked !== "json")
        throw new ClewError("usage", `--json and --format ${asked} differ`, "give one of them");
      const byName = json ? "json" : formOfFile(output, { option: "--format", form: asked }, endings);
      const format = byName ?? "json";
      const period = periodRequest(options);
      const isPeriod = Object.keys(period).length > 0;
      if (names.length > 0 === isPeriod) throw notOneOf(isPeriod);
      const sessions = names.map((name) => resolveSessionName(context, name));
      if (format === "json") {
        const data = isPeriod
          ? await context.api.sessions.period(period)
          : await context.api.sessions.export({ sessions });
        if (output === undefined) return context.output.writeJson(data);
        return written(context, output, `${JSON.stringify(data, undefined, 2)}\n`);
      }
      const { text } = isPeriod
        ? await context.api.sessions.renderPeriod({ ...period, format })
        : await context.api.sessions.render({ sessions, format });
      return output === undefined ? context.output.write(`${text.trimEnd()}\n`) : written(context, output, text);
    });
}

function notOneOf(isPeriod: boolean): ClewError {
  return isPeriod
    ? new ClewError(
        "usage",
        "sessions by id and sessions of a period are not exported together",
        "give ids, or --since",
      )
    : new ClewError("usage", "nothing to export", "clew session export latest, or --since 2w for all of two weeks");
}

async function written(context: CliContext, output: string, text: string): Promise<void> {
  writeNewFile(context.cwd, output, text);
  await context.output.write(`Wrote ${cleanLine(output)}\n`);
}
