import { CommanderError, type Command, type OutputConfiguration } from "commander";
import { ClewError } from "../contract/errors.ts";
import type { CliContext, Output } from "./context.ts";
import { clean } from "./terminal/clean.ts";
import { fitHelp, helpForm } from "./help-form.ts";
import { resolveHelp, withoutLeadingHelp } from "./help-words.ts";
import { buildProgram } from "./program.ts";
import { usageError } from "./usage-error.ts";

/** Turns an error of the system, such as a full disk, into a ClewError; returns any other error as it is. */
type Explain = (error: unknown) => unknown;

/** Runs one command line and returns the exit code. Every failure is rendered here, and nowhere else. */
export async function run(args: string[], context: CliContext, explain: Explain): Promise<number> {
  try {
    if (args.every((word) => word === "--no-pager")) {
      if (args.length > 0) context.output.hasPager = false;
      await (await import("./commands/status.ts")).showStatus(context);
      return context.exitCode;
    }
    const isHelp = args[0] === "help";
    const withoutHelp = withoutLeadingHelp(args);
    const program = await buildProgram(context, withoutHelp);
    const argv = resolveHelp(program, withoutHelp, isHelp);
    let complaint = "";
    const writes: Promise<void>[] = [];
    prepare(program, {
      writeOut: (text) =>
        writes.push(context.output.write(context.terminal.onTerminal ? fitHelp(text, context.terminal.width) : text)),
      writeErr: (text) => (complaint += text),
    });
    try {
      await program.parseAsync(withoutNoPager(argv, program, context.output), { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      await Promise.all(writes);
      if (error.exitCode === 0) return 0;
      throw usageError(error, complaint, program, argv);
    }
    return context.exitCode;
  } catch (error) {
    const failure = failureOf(error, explain);
    await report(failure, args, context);
    if (context.env["CLEW_DEBUG"]) context.output.say(String((error as Error)?.stack ?? error));
    return failure.exitCode;
  }
}

/** Takes away `--no-pager`, which every command accepts. Behind `--`, or as an option's value, it is an ordinary word. */
function withoutNoPager(argv: string[], program: Command, output: Output): string[] {
  const flag = argv.findIndex((word, at) => word === "--no-pager" && !takesValue(program, argv[at - 1] ?? ""));
  const end = argv.indexOf("--");
  if (flag < 0 || (end >= 0 && end < flag)) return argv;
  output.hasPager = false;
  return argv.toSpliced(flag, 1);
}

function takesValue(command: Command, word: string): boolean {
  return (
    command.options.some((option) => option.required && [option.long, option.short].includes(word)) ||
    command.commands.some((child) => takesValue(child, word))
  );
}

/** Commander must neither end the process nor write by itself; unknown words are refused with a suggestion. */
function prepare(command: Command, output: OutputConfiguration): void {
  command.exitOverride().configureOutput(output).configureHelp(helpForm).showSuggestionAfterError(true);
  command.allowExcessArguments(false);
  for (const child of command.commands) prepare(child, output);
}

function failureOf(error: unknown, explain: Explain): ClewError {
  const explanation = explain(error);
  return explanation instanceof ClewError ? explanation : internalError(error);
}

async function report(failure: ClewError, argv: string[], context: CliContext): Promise<void> {
  context.output.say(`${context.terminal.errorColors.red("error:")} ${clean(failure.message)}`);
  context.output.say(`  ${clean(failure.hint)}`);
  if (argv.includes("--json")) await unlessDiskFull(() => context.output.writeJson(failure));
}

/** A full disk behind stdout may be the very error, which stderr has told already. */
async function unlessDiskFull(write: () => void | Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOSPC" && code !== "EFBIG" && code !== "EIO") throw error;
  }
}

function internalError(error: unknown): ClewError {
  const message = error instanceof Error ? error.message : String(error);
  const hint = "run again with CLEW_DEBUG=1 to see where, and report it";
  return new ClewError("internal", `unexpected: ${message}`, hint, { cause: error });
}
