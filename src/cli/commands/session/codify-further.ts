import { workflowFiles, type CodifyFormat } from "../../../contract/codify-values.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { editorCommand, editText } from "../../terminal/edit-text.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { paintDiff } from "../../terminal/merge-view.ts";
import { refuseUnwritable } from "../../write-new-file.ts";
import {
  keepingText,
  nameFromFile,
  originalOf,
  refuseInvalid,
  savedText,
  saveWorkflow,
  sayNotes,
  sayProblems,
  type CodifyOptions,
} from "./codify-output.ts";

/** A workflow that an agent refined, a person edited, or both, in this order. The original is kept, and no work is lost. */
export async function codifyFurther(context: CliContext, sessions: string[], options: CodifyOptions): Promise<void> {
  const { format, output: file, json } = options;
  if (!options.refine) {
    const codified = await context.api.codify.extract({ sessions, format, ...nameFromFile(options) });
    sayNotes(context, codified);
    return editAndSave(context, codified, { begin: codified.text, file: file! });
  }
  if (file !== undefined) refuseUnwritable(context.cwd, originalOf(file));
  const refined = await askForBetter(context, sessions, options);
  const { original, diff, problems, valid, text } = refined;
  sayNotes(context, original);
  sayNotes(context, refined);
  sayProblems(context, problems, { format, text });
  if (!valid) context.exitCode = 2;
  if (options.interactive) {
    await context.output.page(`${diffText(context, diff)}\n`);
    return editAndSave(context, original, { begin: text, file: file!, original: original.text });
  }
  if (file === undefined) return print(context.output, json, refined, () => diffText(context, diff));
  await keepingText(context, { file, text: () => text }, () => {
    refuseInvalid(valid, file);
    saveWorkflow(context, file, text, original.text);
  });
  await print(context.output, json, refined, () => `${diffText(context, diff)}\n${savedText(original, file)}`);
}

function diffText({ terminal: { colors } }: CliContext, diff: string): string {
  return diff === "" ? "The agent changed nothing." : paintDiff(colors, diff.trimEnd());
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

/** What is edited, and where it goes; `original` where an agent made it of another text. */
interface Editing {
  begin: string;
  file: string;
  original?: string;
}

/** The person edits, sees what is wrong by line, and edits again, until it is right or they leave it. */
async function editAndSave(
  context: CliContext,
  codified: Parameters<typeof savedText>[0] & { text: string },
  { begin, file, original }: Editing,
): Promise<void> {
  const { input, output, api, env } = context;
  const { format } = codified;
  let text = begin;
  // What was codified and not touched can be codified again.
  const left = (): string | undefined => (text === codified.text ? undefined : text);
  await keepingText(context, { file, text: left }, async () => {
    for (;;) {
      const edited = await editOnce(context, text, format);
      text = edited.text;
      if (!edited.isFinished)
        throw new ClewError(
          "invalid_input",
          `the editor failed; nothing was written to ${file}`,
          "VISUAL or EDITOR names it",
        );
      const { problems, valid, notes } = await api.codify.check({ format, text, before: codified.text });
      sayNotes(context, { notes });
      sayProblems(context, problems, { format, text });
      if (valid) break;
      if (editorCommand(env) === undefined || !(await input.confirm("It is not valid. Edit again?"))) {
        refuseInvalid(false, file);
      }
    }
    if (!(await input.confirm(`Save it as ${cleanLine(file)}?`)))
      throw new ClewError("interrupted", `nothing was written to ${file}`, "codify it again when you like");
    saveWorkflow(context, file, text, original);
  });
  // The problems of what the agent answered were mended.
  context.exitCode = 0;
  await output.write(`${savedText(codified, file)}\n`);
}

/** Without an editor it is only shown. */
async function editOnce(
  { input, output, env }: CliContext,
  text: string,
  format: CodifyFormat,
): ReturnType<typeof editText> {
  if (editorCommand(env) !== undefined)
    return input.lendTerminal(() => editText(text, { name: workflowFiles[format], env }));
  await output.page(text);
  return { text, isFinished: true };
}
