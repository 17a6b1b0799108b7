import { isOwnServer, serverName } from "./own-server.ts";
import { textsIn, tomlKeys, TomlProblem, type TomlKey } from "./toml-tables.ts";

const begin = "# >>> clew mcp: clew mcp uninstall removes this block";
const end = "# <<< clew mcp";
const group = "mcp_servers";

/**
 * Codex's settings with our MCP server, as a block of its own behind all else; one of ours that is there stays. The line end before
 * the block goes with it, so that what was there keeps its bytes, with or without a line end of its own.
 */
export function addTomlServer(settings: string | undefined, program: readonly string[]): string {
  const [command = "", ...args] = program;
  const keys = tomlKeys(settings ?? "");
  if (isOwnServer(serverWords(keys))) return settings!;
  const other = keys.find(({ name }) => name[0] === group && name[1] === serverName);
  if (other) throw new TomlProblem(`the MCP server "${serverName}" there is another program`, other.line);
  const inline = keys.find(({ name, isTable }) => name[0] === group && name.length === 1 && !isTable);
  if (inline) throw new TomlProblem(`${group} stands in one line, to which no table can be added`, inline.line);
  const eol = settings?.includes("\r\n") ? "\r\n" : "\n";
  const lines = [
    begin,
    `[${group}.${serverName}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((word) => JSON.stringify(word)).join(", ")}]`,
    end,
    "",
  ];
  return (settings === undefined ? "" : settings + eol) + lines.join(eol);
}

/** Without our block: the very bytes from before. `undefined`: the file was made for it. A server that others wrote stays. */
export function removeTomlServer(settings: string): string | undefined {
  const block = blockIn(settings);
  if (!block) return settings;
  const rest = settings.slice(0, block.start) + settings.slice(block.end);
  return rest === "" && block.isFirst ? undefined : rest;
}

export function hasTomlServer(settings: string): boolean {
  return isOwnServer(serverWords(tomlKeys(settings)));
}

function blockIn(settings: string): { start: number; end: number; isFirst: boolean } | undefined {
  const from = lineStart(settings, begin, 0);
  if (from < 0) return undefined;
  const last = lineStart(settings, end, from);
  if (last < 0)
    throw new TomlProblem(`the block of Clew has no end: ${end}`, settings.slice(0, from).split("\n").length);
  const eol = settings[from + begin.length] === "\r" ? "\r\n" : "\n";
  const before = settings.slice(0, from).endsWith(eol) ? eol.length : 0;
  const behind = settings.startsWith(eol, last + end.length) ? eol.length : 0;
  return { start: from - before, end: last + end.length + behind, isFirst: from === 0 };
}

/** Where a line stands that is just this; -1 when there is none. */
function lineStart(settings: string, line: string, from: number): number {
  for (let at = settings.indexOf(line, from); at >= 0; at = settings.indexOf(line, at + 1)) {
    const behind = settings.slice(at + line.length, at + line.length + 2);
    if ((at === 0 || settings[at - 1] === "\n") && /^(?:\r?\n|$)/.test(behind)) return at;
  }
  return -1;
}

/** The program of our server and its arguments, by the texts in its `command` and `args`. */
function serverWords(keys: readonly TomlKey[]): string[] {
  const textsOf = (field: string): string[] =>
    keys
      .filter(({ name }) => name.join("\n") === [group, serverName, field].join("\n"))
      .flatMap(({ value }) => textsIn(value));
  return [...textsOf("command"), ...textsOf("args")];
}
