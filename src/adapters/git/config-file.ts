import { isMissing } from "../files/failure.ts";
import { readRegular } from "../files/regular-file.ts";

/** One setting of a file of git's, as it is written there. */
export interface ConfigValue {
  /** Section, subsection and name, with points between them, as git prints it: in lower case, but for the subsection. */
  key: string;
  /** Undefined where only the name stands, which means yes. */
  value: string | undefined;
}

/**
 * The settings of a file, in order; none when there is no such file. Follows no includes. Throws when something else than a
 * plain file stands there. Only for what must be known before git is started: git itself is asked for everything else.
 */
export function readGitConfigFile(file: string): ConfigValue[] {
  try {
    return parseConfig(readRegular(file).toString("utf8"));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Reads up to the first mistake: git refuses to work with such a file at all. */
export function parseConfig(text: string): ConfigValue[] {
  const values: ConfigValue[] = [];
  const source = new Source(text);
  let prefix = "";
  for (let char = source.next(); char !== undefined; char = source.next()) {
    if (isSpace(char)) continue;
    if (char === "#" || char === ";") source.skipLine();
    else if (char === "[") {
      const heading = readHeading(source);
      if (heading === undefined) break;
      prefix = `${heading}.`;
    } else {
      const setting = /[A-Za-z]/.test(char) ? readSetting(source, char) : undefined;
      if (setting === undefined) break;
      values.push({ key: `${prefix}${setting.name}`, value: setting.value });
    }
  }
  return values;
}

/** The characters of a file. A line may end in CR LF; the last one ends with the file. */
class Source {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
    this.#text = clean.endsWith("\n") ? clean : `${clean}\n`;
  }

  /** Undefined at the end. */
  next(): string | undefined {
    return this.#text[this.#at++];
  }

  skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }
}

const isSpace = (char: string | undefined): boolean => char !== undefined && " \t\r\n".includes(char);
const isNameChar = (char: string | undefined): char is string => char !== undefined && /[A-Za-z0-9-]/.test(char);

/** What stands between brackets; undefined for what git does not take. */
function readHeading(source: Source): string | undefined {
  let section = "";
  let char = source.next();
  for (; isNameChar(char) || char === "."; char = source.next()) section += char.toLowerCase();
  if (char === "]") return section;
  while (char === " " || char === "\t" || char === "\r") char = source.next();
  if (char !== '"') return undefined;
  let subsection = "";
  for (char = source.next(); char !== '"'; char = source.next()) {
    if (char === "\\") char = source.next();
    if (char === undefined || char === "\n") return undefined;
    subsection += char;
  }
  return source.next() === "]" ? `${section}.${subsection}` : undefined;
}

/** A name, and what follows it; undefined for what git does not take. */
function readSetting(source: Source, first: string): { name: string; value: string | undefined } | undefined {
  let name = first.toLowerCase();
  let char = source.next();
  for (; isNameChar(char); char = source.next()) name += char.toLowerCase();
  while (char === " " || char === "\t") char = source.next();
  if (char === "\n") return { name, value: undefined };
  const value = char === "=" ? readValue(source) : undefined;
  return value === undefined ? undefined : { name, value };
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ["\\", "\\"],
  ['"', '"'],
  // The line goes on in the next one.
  ["\n", ""],
]);

/** Without quotes, escapes, a comment, and spaces around it. A backslash in a comment means nothing. */
function readValue(source: Source): string | undefined {
  let value = "";
  let spaces = "";
  let isQuoted = false;
  for (let char = source.next(); char !== undefined; char = source.next()) {
    if (char === "\n") return isQuoted ? undefined : value;
    if (!isQuoted && isSpace(char)) {
      if (value !== "") spaces += char;
      continue;
    }
    if (!isQuoted && (char === "#" || char === ";")) {
      source.skipLine();
      return value;
    }
    value += spaces;
    spaces = "";
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") {
      const escaped = escapes.get(source.next() ?? "");
      if (escaped === undefined) return undefined;
      value += escaped;
    } else value += char;
  }
  // The last line wanted to go on: to git, the end of the file ends it.
  return isQuoted ? undefined : value;
}
