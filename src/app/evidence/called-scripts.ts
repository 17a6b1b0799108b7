import { allCommandsIn, type ExecutedCommand } from "../../command/all-commands.ts";
import { isKnown } from "../../command/words.ts";
import { commandSources, type CommandSources } from "../../evidence/command-sources.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";

/** What runs the file that is named first, but where an option says that it is none, as in `node --test` and `python -m`. */
const interpreter = /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php)$/;
const otherwise = /^(?:--test|-m|-e|-c|-p|--eval|--print)$/;
/** What runs scripts by their names. */
const scriptRunner = /^(?:run-[sp]|npm-run-all2?|concurrently)$/;

/**
 * What scripts of a package.json call further: other scripts of it, and the files that they run. What those read (tests, settings of a test
 * runner) is for the gate's `keeps`.
 */
export function calledByScripts(scripts: readonly string[], packageJson: string | undefined): CommandSources {
  const read = parseJson((packageJson ?? "").replace(/^\uFEFF/, ""));
  const texts = isObject(read) && isObject(read["scripts"]) ? read["scripts"] : {};
  const called = new Set(scripts);
  const files = new Set<string>();
  // What is added on the way is looked at as well.
  for (const name of called) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (typeof text !== "string") continue;
    for (const command of allCommandsIn(text).commands) {
      const words = command.words.filter(isKnown);
      for (const script of [...commandSources(words).scripts, ...namedScripts(words)]) called.add(script);
      for (const file of filesRun(command)) files.add(file);
    }
  }
  return { scripts: [...called], files: [...files] };
}

function namedScripts([program = "", ...args]: readonly string[]): string[] {
  return scriptRunner.test(program) ? args.map((word) => word.replace(/^npm:/, "")) : [];
}

function filesRun({ named }: ExecutedCommand): string[] {
  const [program = "", ...args] = named.filter(isKnown);
  const isOther = args.some((word) => otherwise.test(word));
  const file = interpreter.test(program) && !isOther ? args.find((word) => !word.startsWith("-")) : program;
  return file !== undefined && /^[^/*?]+\.\w+$|^[^/].*\/|^\.\//.test(file) && !/[*?]/.test(file)
    ? [file.replace(/^\.\//, "")]
    : [];
}
