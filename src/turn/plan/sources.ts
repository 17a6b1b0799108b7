import type { ResearchSource } from "../../contract/plan.ts";
import { readPath, writePath } from "./plan-path.ts";

/** A line of a list without its bullet. */
export function withoutBullet(line: string): string {
  const text = line.trim();
  return /^[-*+][ \t]/.test(text) ? text.slice(2).trim() : text;
}

/** Models write it where a list is empty. */
export function saysNone(text: string): boolean {
  return /^\(?(?:none|n\/a|nothing|empty)\.?\)?$/i.test(text.slice(0, 20));
}

/** A line of the vault: `src/a.txt`, `src/**`, `!src/b.txt`; empty when it lists nothing. */
export function readVaultLine(line: string): { path: string } | { wrong: string } {
  const text = withoutBullet(line);
  if (text === "" || text.startsWith("#") || saysNone(text)) return { path: "" };
  const out = text.startsWith("!") ? "!" : "";
  const read = readPath(text.slice(out.length).trim());
  return "path" in read ? { path: `${out}${read.path}` } : read;
}

/** The path as it is, where that reads back the same. */
export function writeVaultLine(entry: string): string {
  const read = readVaultLine(entry);
  if ("path" in read && read.path === entry) return entry;
  return entry.startsWith("!") ? `!${writePath(entry.slice(1))}` : writePath(entry);
}

/** A line of READ. Undefined when it lists nothing. */
export function readReadLine(line: string): { path: string } | { wrong: string } | undefined {
  const text = withoutBullet(line);
  if (text === "") return undefined;
  if (isAddress(text)) return { wrong: "READ reads files; an address is for RESEARCH" };
  return readPath(text);
}

export function writeReadLine(path: string): string {
  const read = readReadLine(path);
  return read && "path" in read && read.path === path ? path : writePath(path);
}

/**
 * A line of RESEARCH. What begins with http:// or https:// is an address, a link or one word with a slash or a dot in it a path, everything
 * else a question. `Path:`, `URL:` and `Query:` before it say which.
 */
export function readResearchLine(line: string): ResearchSource | { wrong: string } | undefined {
  const text = withoutBullet(line);
  if (text === "") return undefined;
  const said = /^(path|url|query):[ \t]/i.exec(text);
  const rest = said ? text.slice(said[0].length).trim() : text;
  const kind = (said?.[1]?.toLowerCase() as ResearchSource["kind"] | undefined) ?? kindOf(rest);
  if (rest === "") return { wrong: `nothing stands behind ${said![0].trim()}` };
  if (kind === "query") return { kind, text: rest };
  if (kind === "url") return readAddress(rest);
  const read = readPath(rest);
  return "path" in read ? { kind, text: read.path } : read;
}

export function writeResearchLine({ kind, text }: ResearchSource): string {
  const read = readResearchLine(text);
  if (read && "kind" in read && read.kind === kind && read.text === text) return text;
  if (kind === "path") return `Path: ${writePath(text)}`;
  return `${kind === "url" ? "URL" : "Query"}: ${text}`;
}

function kindOf(text: string): ResearchSource["kind"] {
  if (isAddress(text)) return "url";
  if (/^!?\[/.test(text) && text.includes("](") && text.endsWith(")"))
    return isAddress(linkTarget(text)) ? "url" : "path";
  return !/\s/.test(text) && /[/.]./.test(text) ? "path" : "query";
}

function linkTarget(text: string): string {
  return text.slice(text.indexOf("](") + 2, -1);
}

function isAddress(text: string): boolean {
  return /^<?https?:\/\//i.test(text);
}

function readAddress(text: string): ResearchSource | { wrong: string } {
  const target = text.startsWith("[") ? linkTarget(text) : text;
  const address = target.startsWith("<") && target.endsWith(">") ? target.slice(1, -1) : target;
  if (/\s/.test(address)) return { wrong: "an address has no blanks in it" };
  if (!isAddress(address) || !URL.canParse(address)) return { wrong: "an address begins with http:// or https://" };
  return { kind: "url", text: address };
}
