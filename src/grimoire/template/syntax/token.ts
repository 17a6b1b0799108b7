/** What the lexer makes of a template's text. Keywords have kinds of their own. */
export type TokenKind =
  | "error"
  | "text"
  | "left-delimiter"
  | "right-delimiter"
  | "left-paren"
  | "right-paren"
  | "left-braces"
  | "right-braces"
  | "space"
  | "pipe"
  | "assign"
  | "declare"
  | "char"
  | "bool"
  | "char-constant"
  | "complex"
  | "number"
  | "string"
  | "raw-string"
  | "field"
  | "identifier"
  | "variable"
  | "key"
  | "end-of-text"
  | "dot"
  | Keyword;

export interface Token {
  kind: TokenKind;
  /** Where it starts in the template's text. */
  offset: number;
  /** Its text; of an error, the message. */
  text: string;
}

const words = [
  "nil",
  "block",
  "break",
  "continue",
  "define",
  "else",
  "end",
  "if",
  "range",
  "template",
  "with",
] as const;
type Keyword = (typeof words)[number];
export const keywords: ReadonlyMap<string, Keyword> = new Map(words.map((word) => [word, word]));
