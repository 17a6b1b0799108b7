import { Option } from "commander";
import { shellWord } from "../text/shell-word.ts";
import type { CliContext } from "./context.ts";
import { readCount } from "./read-count.ts";

export interface PageOptions {
  limit?: number;
  after?: string;
}

export function limitOption(usual?: number): Option {
  return new Option("-n, --limit <n>", "at most so many").argParser(readCount).default(usual);
}

export function afterOption(): Option {
  return new Option("--after <place>", "go on behind this place: the next of the page before");
}

/** A page as text, with the way to the one that follows. */
export function pageText({ colors }: Pick<CliContext, "colors">, text: string, next: string | undefined): string {
  return next === undefined ? text : `${text}\n${colors.dim(`More follow: --after ${shellWord(next)}`)}`;
}
