import { visit, type Document, type YAMLError } from "yaml";
import { yamlWords } from "../../contract/yaml-messages.ts";
import type { UnplacedProblem } from "./unplaced-problem.ts";

/** An error of the parser, in words for the author of a grimoire. */
export function yamlError(error: YAMLError, text: string, document: Document.Parsed): UnplacedProblem {
  const offset = error.pos[0];
  if (error.message.startsWith("Missing closing")) {
    return { offset: openingQuote(document, offset), message: "a quote opens here and is never closed" };
  }
  const words = error.code === "MULTIPLE_DOCS" ? secondDocument : yamlWords(error);
  return { offset, ...words, hint: templateHint(text, offset) ?? words.hint };
}

const secondDocument = { message: "a second document begins here", hint: "put each grimoire into a file of its own" };

/** The parser reports an open quote at the end of the file; its author needs the beginning. */
function openingQuote(document: Document.Parsed, end: number): number {
  let offset = end;
  visit(document, {
    Scalar(_, node) {
      if (node.type?.startsWith("QUOTE") && node.range?.[1] === end) offset = node.range[0];
    },
  });
  return offset;
}

/** `key: {{.x}} more` is a common mistake, and the parser's own message does not help with it. */
function templateHint(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(start, offset + 200).split("\n", 1)[0]!;
  return /^[\s-]*\w[\w-]*:\s+\{\{/.test(line) ? "put text that begins with {{ in quotes" : undefined;
}
