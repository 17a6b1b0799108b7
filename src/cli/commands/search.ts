import { Command } from "commander";
import type { SearchHit } from "../../contract/api/search.ts";
import { print, type CliContext, type JsonOption, type Screen } from "../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../paging.ts";
import { cleanLine } from "../terminal/clean.ts";
import type { Colors } from "../terminal/colors.ts";
import { widthOf } from "../terminal/width.ts";
import { pathFrom } from "../terminal/words.ts";
import { wrapLines } from "../terminal/wrap.ts";
import { resolveSessionName } from "./session/session-name.ts";

interface SearchOptions extends JsonOption, PageOptions {
  session?: string;
}

/** `clew session search` is the same command. */
export function defineSearch(session: Command, context: CliContext): void {
  session.addCommand(define(context));
}

export function define(context: CliContext): Command {
  return new Command("search")
    .description('Full text over all sessions, newest first. Words must all occur; "a phrase", a prefix*.')
    .argument("<text...>", "what to look for")
    .addOption(limitOption(20))
    .addOption(afterOption())
    .option("-s, --session <id>", "only in this session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew search token expiry")
    .action(async (words: string[], { session: name, json, ...page }: SearchOptions) => {
      const session = name === undefined ? undefined : resolveSessionName(context, name);
      const result = await context.api.search.find({ text: words.join(" "), ...page, session });
      const { hits, next } = result;
      const { root } = await context.api.repository.show({});
      await print(context.output, json, result, () =>
        pageText(context.terminal, { count: hits.length, after: page.after, next }, () =>
          hits.length === 0 ? "Nothing found." : hits.map((hit) => block(context.terminal, root, hit)).join("\n"),
        ),
      );
    });
}

function block(screen: Screen, root: string, hit: SearchHit): string {
  const { colors, width, onTerminal } = screen;
  const place = `${pathFrom(root, hit.path)}:${hit.line}`;
  const what = `${cleanLine(hit.phase)} · ${hit.kind}`;
  let line = "";
  let at = 0;
  for (const { start, end } of hit.spans) {
    line += cleanLine(hit.excerpt.slice(at, start)) + wordByWord(colors, cleanLine(hit.excerpt.slice(start, end)));
    at = end;
  }
  line += cleanLine(hit.excerpt.slice(at));
  const fits = !onTerminal || widthOf(place) + 2 + widthOf(what) <= width;
  const head = `${colors.cyan(place)}${fits ? "  " : "\n  "}${colors.dim(what)}`;
  return [head, ...wrapLines(screen, line, "    ")].join("\n");
}

/** Lines end between words, and a colour has to end before that. */
function wordByWord({ bold, yellow }: Colors, text: string): string {
  return text.replace(/\S+/g, (word) => bold(yellow(word)));
}
