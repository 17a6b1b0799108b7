import { visit, type Document, type YAMLError } from "yaml";
import type { Finding } from "./finding.ts";

/** What the parser says, in words for somebody who writes a grimoire and not a parser. */
export function yamlError(error: YAMLError, text: string, document: Document.Parsed): Finding {
  const offset = error.pos[0];
  if (error.message.startsWith("Missing closing")) {
    return { offset: openingQuote(document, offset), message: "a quote opens here and is never closed" };
  }
  const known = inPlainWords[error.code];
  const words = known ?? { message: `not YAML: ${lowerFirst(error.message)}` };
  return { offset, ...words, hint: templateHint(text, offset) ?? words.hint };
}

const inPlainWords: Partial<Record<YAMLError["code"], { message: string; hint?: string }>> = {
  TAB_AS_INDENT: { message: "a tab stands in the indentation", hint: "indent with spaces" },
  MULTIPLE_DOCS: { message: "a second document begins here", hint: "put each grimoire into a file of its own" },
  TAG_RESOLVE_FAILED: { message: "tags such as this one are not supported", hint: "remove it" },
  BAD_DQ_ESCAPE: {
    message: "not an escape that YAML knows",
    hint: "write \\\\ for a backslash, or use single quotes",
  },
  BAD_SCALAR_START: { message: "text must not begin with this character", hint: "put it in quotes" },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "a list or mapping begins behind a key, on the same line",
    hint: "put text with a colon in quotes; begin lists and mappings on a line of their own",
  },
};

/** The parser reports an open quote at the end of the file; whoever mends it looks for the beginning. */
function openingQuote(document: Document.Parsed, end: number): number {
  let offset = end;
  visit(document, {
    Scalar(_, node) {
      if (node.type?.startsWith("QUOTE") && node.range?.[1] === end) offset = node.range[0];
    },
  });
  return offset;
}

/** `key: {{.x}} more` is the mistake that grimoires invite, and the parser's own words do not help there. */
function templateHint(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(start, offset + 200).split("\n", 1)[0]!;
  return /^[\s-]*\w[\w-]*:\s+\{\{/.test(line) ? "put text that begins with {{ in quotes" : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
