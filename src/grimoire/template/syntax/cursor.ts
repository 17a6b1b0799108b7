import { TemplateError } from "../template-error.ts";
import type { TemplateLimits } from "../limits.ts";
import type { OffsetPlaces } from "./places.ts";
import type { Token, TokenKind } from "./token.ts";

/** What all parts of the parser share about one text. */
export interface Source {
  name: string;
  tokens: readonly Token[];
  places: OffsetPlaces;
  limits: TemplateLimits;
  /** The next token to read. */
  next: number;
  /** How many blocks and parentheses are open. */
  nesting: number;
}

/**
 * Reads the tokens of one tree. Each definition inside a text has a cursor of its own, because errors are reported at
 * the furthest token that its own tree has looked at.
 */
export class Cursor {
  readonly source: Source;
  #furthest = 0;

  constructor(source: Source) {
    this.source = source;
    this.#furthest = source.next;
  }

  next(): Token {
    const at = Math.min(this.source.next, this.source.tokens.length - 1);
    this.#furthest = Math.max(this.#furthest, at);
    this.source.next = at + 1;
    return this.source.tokens[at]!;
  }

  peek(): Token {
    const token = this.next();
    this.backUp();
    return token;
  }

  backUp(): void {
    this.source.next -= 1;
  }

  nextNonSpace(): Token {
    let token = this.next();
    while (token.kind === "space") token = this.next();
    return token;
  }

  /** Skips spaces for good. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.backUp();
    return token;
  }

  expect(kind: TokenKind, context: string): Token {
    const token = this.nextNonSpace();
    if (token.kind !== kind) throw this.unexpected(token, context);
    return token;
  }

  /** Does the work one level deeper. Throws when that is too deep. */
  nest<T>(work: () => T): T {
    if (++this.source.nesting > this.source.limits.nesting) {
      throw this.error("blocks or parentheses are nested too deep");
    }
    const result = work();
    this.source.nesting -= 1;
    return result;
  }

  unexpected(token: Token, context: string): TemplateError {
    return this.error(token.kind === "error" ? token.text : `unexpected ${describe(token)} in ${context}`);
  }

  error(message: string): TemplateError {
    const { line, column } = this.source.places.of(this.source.tokens[this.#furthest]!.offset);
    return new TemplateError(this.source.name, line, column, message);
  }
}

function describe({ kind, text }: Token): string {
  if (kind === "end-of-text") return "end of the text";
  return text.length > 20 ? `"${text.slice(0, 20)}…"` : `"${text}"`;
}
