import { workflowFiles, type CodifyFormat } from "../../../contract/codify-values.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { editorCommand, editText } from "../../terminal/edit-text.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { paintDiff } from "../../terminal/merge-view.ts";
import { refuseTakenFile } from "../../write-new-file.ts";
import {
  nameFromFile,
  refuseInvalid,
  savedText,
  saveWorkflow,
  sayNotes,
  sayProblems,
  type CodifyOptions,
} from "./codify-output.ts";

/** A workflow that an agent refined, a person edited, or both, in this order. The original is kept. */
export async function codifyFurther(context: CliContext, sessions: string[], options: CodifyOptions): Promise<void> {
  const { format, output: file, json } = options;
  if (!options.refine) {
    const codified = await context.api.codify.extract({ sessions, format, ...nameFromFile(options) });
    sayNotes(context, codified);
    return editAndSave(context, codified, codified.text, file!);
  }
  if (file !== undefined) refuseTakenFile(context.cwd, originalOf(file));
  const refined = await askForBetter(context, sessions, options);
  const { original, diff, problems, valid, text } = refined;
  sayNotes(context, original);
  sayProblems(context, problems, { format, text });
  if (!valid) context.exitCode = 2;
  if (options.interactive) {
    await context.output.page(`${diffText(context, diff)}\n`);
    await editAndSave(context, original, text, file!);
    return saveWorkflow(context, originalOf(file!), original.text);
  }
  if (file === undefined) return print(context.output, json, refined, () => diffText(context, diff));
  refuseInvalid(valid, file);
  saveWorkflow(context, file, text);
  saveWorkflow(context, originalOf(file), original.text);
  await print(context.output, json, refined, () => `${diffText(context, diff)}\n${savedText(original, file)}`);
}

function diffText({ terminal: { colors } }: CliContext, diff: string): string {
  return diff === "" ? "The agent changed nothing." : paintDiff(colors, diff.trimEnd());
}

/** Beside the file, by a name that no reader of grimoires takes up. */
function originalOf(file: string): string {
  return `${file}.original`;
}

async function askForBetter(
  context: CliContext,
  sessions: string[],
  options: CodifyOptions,
): ReturnType<CliContext["api"]["codify"]["refine"]> {
  const { input, output, terminal } = context;
  const { format, engine, model } = options;
  const interrupt = new AbortController();
  void input.untilInterrupted().then(() => interrupt.abort());
  if (terminal.canRedraw) output.sayForNow("an agent refines it");
  try {
    const request = {
      sessions,
      format,
      ...nameFromFile(options),
      ...(engine !== undefined && { engine }),
      ...(model !== undefined && { model }),
    };
    return await context.api.codify.refine(request, { signal: interrupt.signal });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ClewError(
      "interrupted",
      "the agent was stopped; the workflow is as it was",
      "refine again when you like",
    );
  }
}

/** The person edits, sees what is wrong by line, and edits again, until it is right or they leave it. */
async function editAndSave(
  context: CliContext,
  codified: Parameters<typeof savedText>[0],
  begin: string,
  file: string,
): Promise<void> {
  const { input, output, api, env } = context;
  let text = begin;
  for (;;) {
    text = await edited(context, text, codified.format);
    const { problems, valid } = await api.codify.check({ format: codified.format, text });
    sayProblems(context, problems, { format: codified.format, text });
    if (valid) break;
    if (editorCommand(env) === undefined || !(await input.confirm("It is not valid. Edit again?"))) {
      refuseInvalid(false, file);
    }
  }
  if (!(await input.confirm(`Save it as ${cleanLine(file)}?`)))
    throw new ClewError("interrupted", "nothing was written", "codify it again when you like");
  saveWorkflow(context, file, text);
  await output.write(`${savedText(codified, file)}\n`);
}

/** Without an editor it is only shown. */
async function edited({ input, output, env }: CliContext, text: string, format: CodifyFormat): Promise<string> {
  if (editorCommand(env) === undefined) {
    await output.page(text);
    return text;
  }
  const changed = await input.lendTerminal(() => editText(text, { name: workflowFiles[format], env }));
  if (changed === undefined)
    throw new ClewError("invalid_input", "the editor failed; nothing was written", "VISUAL or EDITOR names it");
  return changed;
}
