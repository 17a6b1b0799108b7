import { Lexer } from "yaml";

/** How many comments stand in a YAML file. */
export function countComments(text: string): number {
  let comments = 0;
  let before = "";
  for (const token of new Lexer().lex(text)) {
    if (token.startsWith("#") && before !== scalarMark) comments++;
    before = token;
  }
  return comments;
}

/** What the lexer gives before the text of a scalar. */
const scalarMark = "\u001F";
