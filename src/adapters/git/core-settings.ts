import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a repository's own settings say about its main checkout. */
export interface CoreSettings {
  isBare: boolean;
  /** `core.worktree` as it is written: relative to the git folder, or absolute. */
  worktree: string | undefined;
}

/**
 * Reads them from the files, as git does when it looks for a repository: without includes and without the user's settings.
 * A sparse checkout moves both settings to a file of the main checkout's own.
 */
export function readCoreSettings(commonDir: string): CoreSettings {
  const values = new Map([...coreValues(join(commonDir, "config")), ...coreValues(join(commonDir, "config.worktree"))]);
  return { isBare: /^(true|yes|on|1)$/i.test(values.get("bare") ?? ""), worktree: values.get("worktree") };
}

/** The settings of the section `core`, by their names in lower case; the last one of a name counts. */
function coreValues(file: string): [string, string][] {
  const values: [string, string][] = [];
  let isCore = false;
  for (const line of textOf(file)
    .replace(/\\\r?\n/g, "")
    .split("\n")) {
    const heading = /^\s*\[([^\]]*)\]/.exec(line);
    if (heading) isCore = heading[1]!.trim().toLowerCase() === "core";
    const [, name, , value = "true"] =
      /^\s*([A-Za-z][\w-]*)\s*(=(.*))?$/s.exec(line.slice(heading?.[0].length ?? 0)) ?? [];
    if (isCore && name !== undefined) values.push([name.toLowerCase(), unquoted(value)]);
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
