import { spanEnds } from "./code-span.ts";

/**
 * Data inside one line of markdown. A backslash goes before punctuation that markdown would act on and nowhere else, so
 * that prose and names stay as they are: `unescapeInline(escapeInline(x)) = x` for every line. Code spans stay code.
 */

export interface InlineRules {
  /** The data may have several lines and is written on one: line ends as `\\n` and `\\r`, so every backslash is doubled. */
  onOneLine?: boolean;
  /** No code spans where this is found. */
  notBesideCode?: RegExp;
}

const special = /[\\`*_~<&\]\r\n]/g;
const isSpecial = /[\\`*_~<&\]\r\n]/;
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/y;
const letterOrDigit = /[\p{L}\p{N}]/u;
const punctuation = /[!-/:-@[-`{-~]/;

/** `from` is where to begin; what stands before it still counts as what stands before. */
export function escapeInline(line: string, rules: InlineRules = {}, from = 0): string {
  if (!isSpecial.test(line)) return line.slice(from);
  let output = "";
  /** Text since the last code span: links are seen in it. */
  let text = "";
  let at = from;
  const spans = spanEnds(line, rules.notBesideCode);
  // Looked for once: a line may have any number of signs that ask.
  let atSign: boolean | undefined;
  const hasAt = (): boolean => (atSign ??= line.includes("@"));
  special.lastIndex = from;
  for (let match = special.exec(line); match; match = special.exec(line)) {
    const { index } = match;
    text += line.slice(at, index);
    const char = match[0];
    at = index + 1;
    if (char === "`" || char === "*" || char === "_" || char === "~") {
      while (line[at] === char) at++;
      const end = char === "`" ? spans(index, at) : -1;
      if (end >= 0) {
        output += withoutLinks(text, true) + line.slice(index, end);
        text = "";
        at = end;
      } else {
        const acts = char === "`" || canClose(line, index, at, char);
        text += acts ? `\\${char}`.repeat(at - index) : line.slice(index, at);
      }
    } else text += escapeChar(line, index, char, rules, hasAt);
    special.lastIndex = at;
  }
  text += line.slice(at);
  return output + withoutLinks(text, false);
}

/** One character that may act by itself. */
function escapeChar(line: string, at: number, char: string, { onOneLine }: InlineRules, hasAt: () => boolean): string {
  const next = line[at + 1];
  switch (char) {
    case "\n":
      return "\\n";
    case "\r":
      // Editors and git rewrite line ends, so it never stands raw in the file.
      return onOneLine ? "\\r" : "&#13;";
    case "\\":
      return onOneLine || next === undefined || next === "\r" || punctuation.test(next) ? "\\\\" : "\\";
    case "<":
      return next !== undefined && (/[A-Za-z/!?]/.test(next) || (!/\s/.test(next) && hasAt())) ? "\\<" : "<";
    case "&":
      entity.lastIndex = at;
      return entity.test(line) ? "\\&" : "&";
    default:
      return next === "(" ? "\\]" : "]";
  }
}

/** Whether a run of `*`, `_` or `~` could end emphasis. Without an end there is none. In doubt it could. */
function canClose(line: string, start: number, end: number, char: string): boolean {
  const before = line[start - 1];
  const next = line[end];
  if (before === undefined || before === " " || before === "\t") return false;
  const isBeforeWord = next !== undefined && letterOrDigit.test(next);
  if (!isBeforeWord) return true;
  // Before a letter, `_` only opens, or is part of a name. Behind another such run, renderers differ.
  return char !== "_" && (!punctuation.test(before) || "*_~".includes(before));
}

const url = /(?:https?|ftp):\/\/\S*|www\.\S*/gi;
/** What makes a link of a URL; several may stand in one word. */
const urlMark = /(?<=https?|ftp):(?=\/\/)|(?<=www)\./gi;
const hasUrl = /:\/\/|www\./i;

/**
 * A page makes links of bare URLs, and shows backslashes in them. One that has any, or a return, is no link then, nor one that would
 * swallow the beginning of the code behind it.
 */
function withoutLinks(text: string, isBeforeCode: boolean): string {
  if (!hasUrl.test(text)) return text;
  return text.replace(url, (whole: string, at: number) => {
    const reachesCode = isBeforeCode && at + whole.length === text.length;
    const hasMarks = whole.includes("\\") || whole.includes("&#13;");
    // The page would take the closing sign into the link.
    const isBracketed = text[at - 1] === "<" && whole.includes(">");
    return reachesCode || hasMarks || isBracketed ? whole.replace(urlMark, "\\$&") : whole;
  });
}

const unescapable = /[\\`&]/g;
const entities = new Map([
  ["&#13;", "\r"],
  ["&#32;", " "],
  ["&#9;", "\t"],
]);

const escaped = /\\([!-/:-@[-`{-~])/g;

/** `letters` are further characters that a backslash stands before, with what they mean. */
export function unescapeInline(line: string, letters?: ReadonlyMap<string, string>): string {
  const hasEntity = line.includes("&#");
  if (!line.includes("\\") && !hasEntity) return line;
  if (!letters && !hasEntity && !line.includes("`")) return line.replace(escaped, "$1");
  let text = "";
  let at = 0;
  const spans = spanEnds(line);
  unescapable.lastIndex = 0;
  for (let match = unescapable.exec(line); match; match = unescapable.exec(line)) {
    const { index } = match;
    text += line.slice(at, index);
    at = index + 1;
    if (match[0] === "`") {
      while (line[at] === "`") at++;
      const end = spans(index, at);
      if (end >= 0) at = end;
      text += line.slice(index, at);
    } else if (match[0] === "\\") {
      const next = line[at];
      const letter = next === undefined ? undefined : letters?.get(next);
      if (letter !== undefined) text += letter;
      else text += next !== undefined && punctuation.test(next) ? next : `\\${next ?? ""}`;
      at++;
    } else {
      const end = index + line.slice(index, index + 5).indexOf(";") + 1;
      const char = end > index ? entities.get(line.slice(index, end)) : undefined;
      text += char ?? "&";
      if (char !== undefined) at = end;
    }
    unescapable.lastIndex = at;
  }
  return text + line.slice(at);
}
