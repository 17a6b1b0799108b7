import { Command } from "commander";
import type { SearchHit } from "../../app/search.ts";
import { print, type CliContext } from "../context.ts";
import { readCount } from "../read-count.ts";
import { cleanLine } from "../terminal/clean.ts";

interface SearchOptions {
  limit: number;
  session?: string;
  json?: boolean;
}

export function define(context: CliContext): Command {
  return searchCommand(context);
}

/** `clew session search` is the same command. */
export function defineSearch(session: Command, context: CliContext): void {
  session.addCommand(searchCommand(context));
}

function searchCommand(context: CliContext): Command {
  return new Command("search")
    .description('Full text over all sessions, newest first. Words must all occur; "a phrase", a prefix*.')
    .argument("<text...>", "what to look for")
    .option("-n, --limit <n>", "at most so many places", readCount, 20)
    .option("-s, --session <id>", "only in this session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew search token expiry")
    .action(async (words: string[], { limit, session, json }: SearchOptions) => {
      const app = await context.open();
      const within = session === undefined ? undefined : await app.finder.find(session);
      const hits = await (await app.search()).find(words.join(" "), limit, within);
      await print(context, json, { hits }, () =>
        hits.length === 0 ? "Nothing found." : hits.map((hit) => block(context, app.root, hit)).join("\n"),
      );
    });
}

function block({ colors }: CliContext, root: string, hit: SearchHit): string {
  const path = hit.path.startsWith(`${root}/`) ? hit.path.slice(root.length + 1) : hit.path;
  let line = "";
  let at = 0;
  for (const { start, end } of hit.spans) {
    line +=
      cleanLine(hit.excerpt.slice(at, start)) + colors.bold(colors.yellow(cleanLine(hit.excerpt.slice(start, end))));
    at = end;
  }
  return `${colors.cyan(`${path}:${hit.line}`)}  ${colors.dim(`${cleanLine(hit.phase)} · ${hit.kind}`)}\n    ${line}${cleanLine(hit.excerpt.slice(at))}`;
}
