import {
  apply,
  hasEmptyMark,
  insertMembers,
  memberOf,
  objectIn,
  removeMembers,
  styleOf,
  type Style,
} from "./json-edits.ts";
import { JsonProblem, type JsonMember, type JsonNode } from "./json-tree.ts";
import { isOwnServer, serverName } from "./own-server.ts";

/** The settings with our MCP server in the object `group`; one of ours that is there stays. Everything else keeps its bytes. */
export function addServer(settings: string | undefined, group: string, server: string): string {
  const member = `${JSON.stringify(serverName)}: ${server}`;
  if (settings === undefined) return `{\n  ${groupMember(group, member, { eol: "\n", unit: "  " })}\n}\n`;
  const root = objectIn(settings);
  const style = styleOf(settings);
  const servers = memberOf(settings, root, group);
  if (!servers) return apply(settings, [insertMembers(settings, root, [groupMember(group, member, style)], style, 1)]);
  if (servers.value.kind !== "object") throw new JsonProblem(`"${group}" is no object`, settings, servers.start);
  const known = memberOf(settings, servers.value, serverName);
  if (!known) return apply(settings, [insertMembers(settings, servers.value, [member], style, 2)]);
  if (isOwnServer(wordsOf(known))) return settings;
  throw new JsonProblem(`the MCP server "${serverName}" there is another program`, settings, known.start);
}

/** The settings without our server: the very bytes from before `addServer`. `undefined`: the file was made for it. */
export function removeServer(settings: string, group: string): string | undefined {
  const root = objectIn(settings);
  const servers = memberOf(settings, root, group);
  const own = servers && ownIn(settings, servers.value);
  if (!own) return settings;
  if (servers.value.members.length > 1 || hasEmptyMark(settings, servers.value))
    return apply(settings, removeMembers(settings, servers.value, [own]));
  if (root.members.length > 1 || hasEmptyMark(settings, root))
    return apply(settings, removeMembers(settings, root, [servers]));
  return undefined;
}

export function hasServer(settings: string, group: string): boolean {
  const servers = memberOf(settings, objectIn(settings), group);
  return servers !== undefined && ownIn(settings, servers.value) !== undefined;
}

function ownIn(settings: string, servers: JsonNode): JsonMember | undefined {
  if (servers.kind !== "object") return undefined;
  const known = memberOf(settings, servers, serverName);
  return known && isOwnServer(wordsOf(known)) ? known : undefined;
}

/** The program of a server and its arguments: some engines have them in one list. */
function wordsOf({ value }: JsonMember): string[] {
  const texts = (node: JsonNode): string[] => {
    const nodes = node.kind === "array" ? node.members.map((each) => each.value) : [node];
    return nodes.flatMap((each) => each.text ?? []);
  };
  const field = (key: string): string[] =>
    value.members.filter((each) => each.key === key).flatMap((each) => texts(each.value));
  return [...field("command"), ...field("args")];
}

function groupMember(group: string, member: string, { eol, unit }: Style): string {
  return `${JSON.stringify(group)}: {${eol}${unit.repeat(2)}${member}${eol}${unit}}`;
}
