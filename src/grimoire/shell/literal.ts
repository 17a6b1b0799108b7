import { insideSingleQuotes, singleQuoted } from "../../text/shell-word.ts";
import type { EnclosingDocument, HolePlace, PlacedPart, PlacedScript } from "./piece.ts";

/** The script as people read it, which does the same: every value written out for its place, markers as their text. */
export function withLiterals(script: PlacedScript, valueOf: (id: number) => string): string {
  const texts: string[] = [];
  let line = "";
  script.parts.forEach((part, index) => {
    let text = part.kind === "hole" ? escape(part.place, valueOf(part.id)) : part.text;
    if (part.kind === "hole" && part.within.length > 0) {
      text = protectFromDelimiters(text, part.place, part.within, line, restOfLine(script.parts, index + 1));
    }
    texts.push(text);
    const newline = text.lastIndexOf("\n");
    line = newline === -1 ? line + text : text.slice(newline + 1);
  });
  return texts.join("");
}

function escape(place: HolePlace, value: string): string {
  switch (place) {
    case "bare":
      return singleQuoted(value);
    case "single quotes":
      return insideSingleQuotes(value);
    case "double quotes":
      return value.replaceAll(/["$`\\]/g, String.raw`\$&`);
    case "here-document":
      return value.replaceAll(/[$`\\]/g, String.raw`\$&`);
    case "comment":
      return value.replaceAll(/[\r\n]+/g, " ");
  }
}

/** By place, what expands to nothing: it keeps a line of a value from being taken for a delimiter. */
const EMPTY = { bare: "''", "single quotes": "''", "double quotes": '""', "here-document": "$()", comment: " " };

/**
 * The shell looks for a here-document's delimiter, and bash also joins lines that end in a backslash, before it looks
 * at quotes; `<<-` takes away tabs at the start of lines. So none of these may come out of a value, even one that is
 * quoted inside `$(…)` in the here-document.
 */
function protectFromDelimiters(
  text: string,
  place: HolePlace,
  documents: readonly EnclosingDocument[],
  lineBefore: string,
  rest: string | undefined,
): string {
  if (place === "comment") return text.replaceAll("\\", "\\\\");
  const quoted = place === "bare" || place === "single quotes";
  const lines = (quoted ? text.replaceAll(/\\(?=\n|$)|^(?=\n)/g, "$&''") : text).split("\n");
  return lines
    .map((line, index) => {
      const before = index === 0 ? lineBefore : "";
      const lineRest = index < lines.length - 1 ? "" : rest;
      const needsProtection = documents.some(
        ({ delimiter, stripTabs }) =>
          mayBeDelimiter(delimiter, before + line, lineRest) || (stripTabs && losesTabs(before, line, lineRest)),
      );
      return needsProtection ? EMPTY[place] + line : line;
    })
    .join("\n");
}

/** Whether a line that starts so is the delimiter or may be: an undefined rest may complete it. */
function mayBeDelimiter(delimiter: string, start: string, rest: string | undefined): boolean {
  if (rest === undefined) return delimiter.startsWith(withoutTabs(start));
  const line = withoutTabs(start + rest);
  return line === delimiter || losesByte(delimiter, line);
}

/** dash drops the first byte of a character beyond ASCII when the line began like the delimiter. */
function losesByte(delimiter: string, line: string): boolean {
  let commonLength = 0;
  while (commonLength < delimiter.length && line[commonLength] === delimiter[commonLength]) commonLength++;
  return commonLength > 0 && line.charCodeAt(commonLength) > 0x7f;
}

/** Whether `<<-` would take away tabs that the value begins with, or that stand behind an empty one. */
function losesTabs(before: string, line: string, rest: string | undefined): boolean {
  if (withoutTabs(before) !== "") return false;
  return line === "" ? rest === undefined || rest.startsWith("\t") : line.startsWith("\t");
}

function withoutTabs(line: string): string {
  return line.replace(/^\t+/, "");
}

/** The script's own text up to the end of the line; undefined if another value comes first. */
function restOfLine(parts: PlacedPart[], from: number): string | undefined {
  let rest = "";
  for (const part of parts.slice(from, from + 8)) {
    if (part.kind === "hole") return undefined;
    const newline = part.text.indexOf("\n");
    if (newline !== -1) return rest + part.text.slice(0, newline);
    rest += part.text;
  }
  return undefined;
}
