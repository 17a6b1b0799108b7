import { onceForEach } from "../text/once-for-each.ts";
import { parseTemplate, type Template } from "./parse.ts";

/** Parses a text of a grimoire, which has no name of its own. Throws a TemplateError. */
export type ParseText = (text: string) => Template;

/** Each text is parsed once: loops, and those who check before they render, come by the same ones again. */
export function parseOnce(): ParseText {
  return onceForEach(
    (text: string) => parseTemplate("", text),
    (text) => text,
  );
}
