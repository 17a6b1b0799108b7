import { readFileSync } from "node:fs";

/** One setting of a file of git's, as it is written there. */
export interface ConfigValue {
  /** In lower case. */
  section: string;
  subsection: string | undefined;
  /** In lower case. */
  name: string;
  value: string;
}

const heading = /^\s*\[\s*([A-Za-z0-9-]+)(?:\.([^\]\s"]+)|\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const setting = /^\s*([A-Za-z][\w-]*)\s*(=(.*))?$/s;

/** The settings of a file, in order; none when there is no such file. Follows no includes. */
export function readConfigFile(file: string): ConfigValue[] {
  const values: ConfigValue[] = [];
  let section = "";
  let subsection: string | undefined;
  for (const line of textOf(file)
    .replace(/\\\r?\n/g, "")
    .split("\n")) {
    const head = heading.exec(line);
    if (head) {
      section = head[1]!.toLowerCase();
      subsection = head[2]?.toLowerCase() ?? head[3]?.replace(/\\(.)/g, "$1");
    }
    const [, name, , value = "true"] = setting.exec(line.slice(head?.[0].length ?? 0)) ?? [];
    if (name !== undefined) values.push({ section, subsection, name: name.toLowerCase(), value: unquoted(value) });
  }
  return values;
}

/** Without quotes, escapes and a comment at the end. */
function unquoted(written: string): string {
  let value = "";
  let isQuoted = false;
  const escapes: Record<string, string> = { n: "\n", t: "\t", b: "\b" };
  for (let at = 0; at < written.length; at++) {
    const char = written[at]!;
    if (char === "\\") {
      const next = written[++at] ?? "";
      value += escapes[next] ?? next;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else value += char;
  }
  return value.trim();
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
