import { Option } from "commander";
import { shellWord } from "../text/shell-word.ts";
import type { Screen } from "./context.ts";
import { cleanLine } from "./terminal/clean.ts";
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

interface Page {
  count: number;
  after: string | undefined;
  next: string | undefined;
}

/** A page as text, with the way to the one that follows. An empty page behind others says nothing of the whole list. */
export function pageText({ colors }: Pick<Screen, "colors">, page: Page, view: () => string): string {
  if (page.count === 0 && page.after !== undefined) return "No more.";
  return page.next === undefined ? view() : `${view()}\n${colors.dim(moreText(page.next))}`;
}

function moreText(next: string): string {
  return `There are more: the same command with --after ${cleanLine(shellWord(next))}`;
}
