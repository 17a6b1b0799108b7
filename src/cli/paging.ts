import type { Command } from "commander";
import { shellWord } from "../text/shell-word.ts";
import type { CliContext } from "./context.ts";
import { readCount } from "./read-count.ts";

export interface PageOptions {
  limit?: number;
  after?: string;
}

/** Adds the options of a list that has pages. */
export function withPages(command: Command, usualLimit?: number): Command {
  return command
    .option("-n, --limit <n>", "at most so many", readCount, usualLimit)
    .option("--after <place>", "go on behind this place: the next of the page before");
}

/** A page as text, with the way to the one that follows. */
export function pageText({ colors }: CliContext, text: string, next: string | undefined): string {
  return next === undefined ? text : `${text}\n${colors.dim(`More follow: --after ${shellWord(next)}`)}`;
}
