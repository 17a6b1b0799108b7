import type { Cut } from "./entry-block.ts";
import { estimateTokens, shorten } from "./tokens.ts";

/** What a piece is to the agent that goes on with the session: it decides which pieces get room first. */
export type Rank =
  | "decision"
  /** A question that waits for a person. */
  | "open"
  | "unfinished"
  /** What a person said. */
  | "words"
  /** What a person wrote above and below the phases. */
  | "about"
  /** What came of the work: errors, answers, completed tasks, subagents. */
  | "outcome"
  /** The work itself: what an agent said, the tools it called. */
  | "work";

/** The smallest thing that is shown or left out: an entry, a task, a text around the phases. */
export interface ContextPiece {
  rank: Rank;
  /** Markdown that ends its last line. */
  text: string;
  /** With the empty line that stands before it. */
  tokens: number;
  /** Something in it was too long and was cut. */
  isCut: boolean;
  section: Section;
}

/** A heading and what stands below it. */
export interface Section {
  id: string;
  heading: string;
  /** Of the heading at its longest. */
  tokens: number;
  pieces: ContextPiece[];
}

/** A piece that no section holds yet. */
export type LoosePiece = Omit<ContextPiece, "section">;

/** `render` is given what cuts a text: to a number of tokens, else to `longTokens`. */
export function makePiece(rank: Rank, longTokens: number, render: (cut: Cut) => string): LoosePiece {
  let isCut = false;
  const text = render((whole, tokens = longTokens) => {
    const cut = shorten(whole, tokens);
    isCut ||= cut !== whole;
    return cut;
  });
  return { rank, text, tokens: estimateTokens(`\n${text}`), isCut };
}

export function makeSection(id: string, heading: string, pieces: LoosePiece[]): Section {
  const tokens = estimateTokens(`\n${heading}${countOf(pieces.length, pieces.length)}\n`);
  const section: Section = { id, heading, tokens, pieces: [] };
  section.pieces = pieces.map((piece) => ({ ...piece, section }));
  return section;
}

/** The section with the texts that are shown of its pieces; a heading says when these are not all. */
export function sectionText({ heading, pieces }: Section, texts: string[]): string {
  const count = texts.length === pieces.length ? "" : countOf(texts.length, pieces.length);
  let sectionMarkdown = `\n${heading}${count}\n`;
  texts.forEach((text, index) => {
    const isNextBullet = isBullet(text) && isBullet(texts[index - 1]);
    sectionMarkdown += isNextBullet ? text : `\n${text}`;
  });
  return sectionMarkdown;
}

function countOf(shownCount: number, total: number): string {
  return ` — ${shownCount} of ${total} shown`;
}

function isBullet(text: string | undefined): boolean {
  return text?.startsWith("- ") ?? false;
}
