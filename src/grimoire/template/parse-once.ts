import { memoize } from "../text/memoize.ts";
import { parseTemplate, type Template } from "./parse.ts";

/** Parses a text of a grimoire, which has no name of its own. Throws a TemplateError. */
export type ParseText = (text: string) => Template;

/** Returns a parser that parses each text once: loops and checks before rendering parse the same texts again. */
export function parseOnce(): ParseText {
  return memoize(
    (text: string) => parseTemplate("", text),
    (text) => text,
  );
}
