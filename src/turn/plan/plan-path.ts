import { hasControls } from "../../text/controls.ts";

/** A path below the root, with slashes; or why it is none, and the form that is expected. */
export type PathReading = { path: string } | { wrong: string };

export const expectedPath = "a path below the root, such as src/a.txt or [src/a.txt](/src/a.txt)";

/** Reads `src/a.txt`, `/src/a.txt`, `./src/a.txt`, each also as code or as a link. `/` is the repository's root. */
export function readPath(text: string): PathReading {
  const plain = textOfLink(text);
  return typeof plain === "string" ? checkPath(plain) : plain;
}

/** The path as it is written in a plan: as a link, which keeps every character. */
export function writePath(path: string): string {
  return `[${path}](/${path})`;
}

/** The text that stands in a link or in backticks. */
function textOfLink(text: string): string | { wrong: string } {
  const same = textOfOwnLink(text);
  if (same !== undefined) return same;
  const bare = unwrapped(text.trim());
  const middle = bare.indexOf("](");
  if (!bare.startsWith("[") || !bare.endsWith(")") || middle === -1) return bare;
  const label = unwrapped(bare.slice(1, middle));
  const target = unwrapped(bare.slice(middle + 2, -1).trim());
  const paths = [decoded(target), target].map(normalPath);
  const path = normalPath(label);
  if (paths.includes(path)) return label;
  const isPath = /[./]/.test(label) && !/\s/.test(label);
  if (isPath && !paths[0]!.endsWith(`/${path}`)) return { wrong: "the link names one path and leads to another" };
  return decoded(target);
}

/** What `writePath` makes: the same text twice, whatever is in it. */
function textOfOwnLink(text: string): string | undefined {
  const length = (text.length - 5) / 2;
  if (length < 1 || !Number.isInteger(length)) return undefined;
  const path = text.slice(1, 1 + length);
  return text === writePath(path) ? path : undefined;
}

function unwrapped(text: string): string {
  const isWrapped = ["``", '""', "''", "<>"].some((pair) => text.startsWith(pair[0]!) && text.endsWith(pair[1]!));
  return isWrapped && text.length > 2 ? text.slice(1, -1).trim() : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without `.`, empty parts and the slash of the root. */
function normalPath(text: string): string {
  return text
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

function checkPath(text: string): PathReading {
  if (text.includes("\0")) return { wrong: "the path holds a NUL character" };
  if (hasControls(text)) return { wrong: "the path holds a control character" };
  if (text.includes("\\")) return { wrong: "the path has a backslash; parts of a path are separated by /" };
  if (text.startsWith("~")) return { wrong: "the path begins in a home folder, outside the repository" };
  if (/^[A-Za-z]:/.test(text)) return { wrong: "the path begins at a drive, outside the repository" };
  if (text.startsWith("//") || /^[A-Za-z][\w+.-]{0,30}:\/\//.test(text))
    return { wrong: "an address is no path below the root" };
  const parts = text.split("/");
  if (parts.includes("..")) return { wrong: "the path has .. in it, and may leave the repository" };
  if (parts.some(isGitFolder)) return { wrong: "the path leads into .git, which is git's own" };
  const path = normalPath(text);
  if (path === "") return { wrong: "the path is empty" };
  if (text.length > 4096) return { wrong: "the path is longer than 4,096 characters" };
  return { path };
}

/** Also as file systems read it that know no case, or drop dots and blanks at the end. */
function isGitFolder(part: string): boolean {
  const name = part.slice(0, 32).toLowerCase();
  return /^(?:\.git|git~1)[. ]*$/.test(name);
}
