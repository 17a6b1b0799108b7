/** A line of a context list. */
export interface ContextLine {
  /** A path or a pattern, below the root. */
  pattern: string;
  /** Whether it takes out what stands above it. */
  removes: boolean;
  /** Where it stands in its list, from 1. */
  line: number;
}

/** The longest path that systems take. */
const maxChars = 4096;
const maxLines = 10_000;

/** The lines of a context list that name something: one path or pattern each; `#` begins a comment, `!` takes out. */
export function readContextList(text: string): ContextLine[] {
  return readContextLines(text.split("\n").slice(0, maxLines));
}

export function readContextLines(lines: readonly string[]): ContextLine[] {
  return lines.flatMap((each, at) => {
    const line = each.trim();
    if (line === "" || line.startsWith("#") || line.length > maxChars) return [];
    const removes = line.startsWith("!");
    // A backslash lets a name begin with one of the two signs.
    const name = (removes ? line.slice(1).trimStart() : line).replace(/^\\(?=[#!])/, "");
    const pattern = normalPath(name);
    return pattern === "" ? [] : [{ pattern, removes, line: at + 1 }];
  });
}

/** Without `./` and doubled slashes. A folder, by its slash at the end, stands for all that is in it; a slash before it for the root. */
function normalPath(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return name.endsWith("/") && parts.length > 0 ? [...parts, "**"].join("/") : parts.join("/");
}

/** Why a path may not be read, whatever stands there; undefined when nothing is against it. */
export function pathRefusal(path: string): string | undefined {
  const parts = path.split("/");
  if (parts.includes("..")) return "leads out of the repository";
  if (parts.some((part) => part.toLowerCase() === ".git")) return "is git's own";
  return path.includes("\0") ? "is no path" : undefined;
}
