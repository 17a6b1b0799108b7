import { resolve } from "node:path";
import { Option, type Command } from "commander";
import type { ExportSummary } from "../../../contract/api/learn.ts";
import { caseTypes, learnFormats, type CaseType, type LearnFormat } from "../../../contract/learn-values.ts";
import { ClewError } from "../../../contract/errors.ts";
import { statuses, type Status } from "../../../contract/session-values.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { resolveSessionName } from "./session-name.ts";

interface LearnOptions extends JsonOption {
  type?: CaseType | "all";
  since?: string;
  agent?: string;
  model?: string;
  engine?: string;
  outcome?: Status;
  tag?: string;
  export?: LearnFormat;
  output?: string;
  image?: string;
  check?: boolean;
}

export function defineLearn(session: Command, context: CliContext): void {
  session
    .command("learn")
    .description(
      "Cases that sessions teach: puzzles of failures with what mended them, corrections of users with what followed.",
    )
    .argument("[id...]", "these sessions; without any, all")
    .addOption(new Option("--type <type>", "puzzle, correction, or all (default)").choices([...caseTypes, "all"]))
    .option("--since <date>", "of sessions started on or after: 2026-11-01, or so long ago: 1d, 2w, 12h")
    .option("--agent <name[@version]>", "only of this agent")
    .option("--model <name>", "only of this model")
    .option("--engine <name>", "only of this engine")
    .addOption(new Option("--outcome <status>", "only of sessions that ended so").choices(statuses))
    .option("--tag <tag>", "only with this tag: a channel, a kind of session, a bead, or one of the session's own")
    .addOption(
      new Option(
        "--export <format>",
        "jsonl (for tuning), markdown (for people), puzzle (JSON of all cases), harbor (tasks), atif (whole sessions)",
      ).choices(learnFormats),
    )
    .option("-o, --output <file>", "write there, and not to stdout; what is there stays")
    .option("--image <name>", "of harbor tasks: the image that has what their commands need")
    .option(
      "--check",
      "of harbor tasks: run each here, without and with its solution; leave out those that do not hold",
    )
    .option("--json", "print JSON; of an export into a file, what was written and what was left out")
    .addHelpText(
      "after",
      `
Examples:
  $ clew session learn --since 2w
  $ clew session learn --type puzzle --export jsonl -o puzzles.jsonl
  $ clew session learn --export harbor --check -o tasks`,
    )
    .action(async (names: string[], { export: format, ...options }: LearnOptions) => {
      const { json, output, type, image, check, ...filter } = options;
      const selection = {
        ...filter,
        ...(names.length > 0 && { sessions: names.map((name) => resolveSessionName(context, name)) }),
        ...(type !== undefined && type !== "all" && { type }),
      };
      const given = Object.entries({ ...filter, ...(selection.type && { type }) });
      const view = await import("../../terminal/learn-view.ts");
      if (format === undefined) {
        if (image !== undefined || check !== undefined)
          throw new ClewError(
            "usage",
            "--image and --check are of tasks",
            "clew session learn --export harbor -o FOLDER",
          );
        if (output !== undefined)
          throw new ClewError("usage", "-o is of an export", `say in which form: --export ${learnFormats.join(" | ")}`);
        const list = await context.api.learn.cases(selection);
        return print(context.output, json, list, () => view.viewCases(context.terminal, list, given));
      }
      if (json && output === undefined)
        throw new ClewError(
          "usage",
          "--export prints its own form, and --json another",
          "give -o FILE, or one of them",
        );
      const place = { ...(output !== undefined && { output: resolve(context.cwd, output) }), image, check };
      const stop = new AbortController();
      void context.input.untilInterrupted().then(() => stop.abort());
      const items = await context.api.learn.export({ ...selection, ...place, format }, { signal: stop.signal });
      let summary: ExportSummary | undefined;
      for await (const item of items) {
        if ("text" in item) await context.output.write(Buffer.from(item.text));
        else summary = item;
      }
      if (!summary) return;
      if (json) return context.output.writeJson(summary);
      const told = view.exportLines(summary, output, given);
      if (output === undefined) for (const line of told) context.output.say(line);
      else await context.output.write(`${told.join("\n")}\n`);
    });
}
