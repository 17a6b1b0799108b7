import { estimateTokens, shorten } from "../resume/tokens.ts";
import { blockQuote } from "./block-quote.ts";

/** One thing that may be told, such as a note. */
export interface Piece {
  text: string;
  /** What stands beside it, such as its kind and time. */
  beside: string;
}

/** Things of one kind, newest first: when there is no room for all, the oldest go. */
export interface Share {
  pieces: readonly Piece[];
  /** How many there are in all: older ones may not even be looked at. */
  total: number;
  /** Which part of the budget it has in any case. */
  part: number;
  /** No text takes more of the budget than this part. */
  longest: number;
}

export interface Fitted {
  /** What is told, newest first. */
  texts: string[];
  dropped: number;
  shortened: number;
}

/**
 * Gives each share its part of the tokens, and what some do not need to the others, in their order. What stands first is the most
 * important.
 */
export function fitShares<Name extends string>(shares: Record<Name, Share>, budget: number): Record<Name, Fitted> {
  const names = Object.keys(shares) as Name[];
  const queues = Object.fromEntries(
    names.map((name) => {
      const { pieces, longest } = shares[name];
      const limit = Math.max(minTokens, Math.floor(budget * longest));
      return [name, pieces.map((piece) => shortened(piece, limit))];
    }),
  ) as Record<Name, Shortened[]>;
  const taken = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  let left = budget;
  const take = (name: Name, room: number): void => {
    let rest = Math.min(room, left);
    for (let next = queues[name][taken[name]]; next && next.tokens <= rest; next = queues[name][taken[name]]) {
      rest -= next.tokens;
      left -= next.tokens;
      taken[name] += 1;
    }
  };
  for (const name of names) take(name, Math.floor(budget * shares[name].part));
  for (const name of names) take(name, left);
  return Object.fromEntries(
    names.map((name) => [name, fittedOf(queues[name], taken[name], shares[name].total)]),
  ) as Record<Name, Fitted>;
}

/** Less than this tells nothing. */
const minTokens = 20;

interface Shortened {
  text: string;
  /** As it is quoted, with the empty line before it. */
  tokens: number;
  isCut: boolean;
}

/** A text of many short lines is longer as it is quoted. */
function shortened({ text, beside }: Piece, limit: number): Shortened {
  const tokensBeside = estimateTokens(`\n${blockQuote(beside)}`);
  for (let most = limit; ; most = Math.floor(most / 2)) {
    const short = shorten(text, most);
    const tokens = estimateTokens(blockQuote(short));
    if (tokens <= limit + minTokens || most < minTokens)
      return { text: short, tokens: tokens + tokensBeside, isCut: short !== text };
  }
}

function fittedOf(queue: Shortened[], count: number, total: number): Fitted {
  const taken = queue.slice(0, count);
  return {
    texts: taken.map(({ text }) => text),
    dropped: total - count,
    shortened: taken.filter(({ isCut }) => isCut).length,
  };
}
