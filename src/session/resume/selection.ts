import type { ContextPiece, Section } from "./piece.ts";
import { estimateTokens } from "./tokens.ts";

/** What a context will show. It grows as long as there are tokens left; a piece brings its section's heading along. */
export class Selection {
  tokensLeft: number;
  readonly #listed = new Set<Section>();
  readonly #texts = new Map<ContextPiece, string>();
  readonly #decisionsApart: boolean;

  /** `decisionsApart`: decisions bring no headings along; they stand together. */
  constructor(tokens: number, decisionsApart = false) {
    this.tokensLeft = tokens;
    this.#decisionsApart = decisionsApart;
  }

  /** Takes all of these pieces, or none when fewer than `spare` tokens would be left. What is taken costs no more. */
  take(pieces: ContextPiece[], spare = 0): boolean {
    const newPieces = pieces.filter((piece) => !this.#texts.has(piece));
    const headings = new Set(newPieces.filter((piece) => this.#bringsHeading(piece)).map((piece) => piece.section));
    const cost = sumTokens(newPieces) + sumTokens([...headings]);
    if (this.tokensLeft - cost < spare) return false;
    this.tokensLeft -= cost;
    for (const piece of newPieces) this.#texts.set(piece, piece.text);
    for (const section of headings) this.#listed.add(section);
    return true;
  }

  /** Takes the heading alone. */
  list(section: Section, spare = 0): boolean {
    if (this.#listed.has(section)) return true;
    if (this.tokensLeft - section.tokens < spare) return false;
    this.tokensLeft -= section.tokens;
    this.#listed.add(section);
    return true;
  }

  /** Takes a piece in a form of its own, whether there is room or not. */
  takeAs(piece: ContextPiece, text: string): void {
    if (this.#bringsHeading(piece)) {
      this.tokensLeft -= piece.section.tokens;
      this.#listed.add(piece.section);
    }
    this.tokensLeft -= estimateTokens(`\n${text}`);
    this.#texts.set(piece, text);
  }

  #bringsHeading({ section, rank }: ContextPiece): boolean {
    return !this.#listed.has(section) && !(this.#decisionsApart && rank === "decision");
  }

  isListed(section: Section): boolean {
    return this.#listed.has(section);
  }

  /** How the piece is shown; undefined when it is left out. */
  textOf(piece: ContextPiece): string | undefined {
    return this.#texts.get(piece);
  }

  isWhole(section: Section): boolean {
    return this.#listed.has(section) && section.pieces.every((piece) => this.#texts.has(piece));
  }
}

function sumTokens(parts: { tokens: number }[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
