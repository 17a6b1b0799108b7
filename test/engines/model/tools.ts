import type { Call } from "./answer.ts";
import type { McpUse, OfferedTool, ToolUse } from "./script.ts";

type Translation = Omit<Call, "id">;
type Shell = (input: { command: string }) => Call["input"];
type Write = (input: { path: string; content: string }) => Call["input"];

/** The tools of all engines by name; the first that a request offers is taken. */
const shells: Record<string, Shell> = {
  Bash: ({ command }) => ({ command, description: "a command of the script" }),
  exec_command: ({ command }) => ({ cmd: command }),
  shell_command: ({ command }) => ({ command }),
  shell: ({ command }) => ({ command: ["bash", "-lc", command] }),
  run_shell_command: ({ command }) => ({ command, description: "a command of the script", is_background: false }),
  bash: ({ command }) => ({ command, description: "a command of the script" }),
};

const writes: Record<string, Write> = {
  Write: ({ path, content }) => ({ file_path: path, content }),
  apply_patch: ({ path, content }) => addFilePatch(path, content),
  write_file: ({ path, content }) => ({ file_path: path, content }),
  write: ({ path, content }) => ({ filePath: path, content }),
};

/** A tool that the engine offers under no known name is called by its most likely one: a level may have hidden it. */
export function translateTool(use: ToolUse, offered: readonly OfferedTool[]): Translation {
  if ("name" in use) return { name: use.name, input: use.input };
  if (use.kind === "shell") {
    const name = firstOffered(shells, offered);
    return { name, input: shells[name]!(use.input) };
  }
  const name = firstOffered(writes, offered);
  return { name, input: writes[name]!(use.input) };
}

/** Engines put the server's name before the tool's, each in its own way; hidden tools are called in the most common way. */
export function nameMcpTool(
  { server, tool, input: given }: McpUse,
  offered: readonly OfferedTool[],
  news: string,
): Translation {
  const input = typeof given === "function" ? given(news) : given;
  const inside = (one: OfferedTool) => server === undefined || `${one.namespace ?? ""}${one.name}`.includes(server);
  const found = offered.find((one) => inside(one) && (one.name === tool || one.name.endsWith(`_${tool}`)));
  if (found) return { ...found, input };
  const namespace = `mcp__${server ?? "clew"}`;
  const isHidden = offered.some(({ hidesOthers }) => hidesOthers);
  return isHidden ? { name: tool, namespace, input } : { name: `${namespace}__${tool}`, input };
}

function firstOffered(table: Record<string, unknown>, offered: readonly OfferedTool[]): string {
  const names = Object.keys(table);
  return names.find((name) => offered.some((tool) => tool.name === name)) ?? names[0]!;
}

function addFilePatch(path: string, content: string): string {
  const lines = content.replace(/\n$/u, "").split("\n");
  return ["*** Begin Patch", `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), "*** End Patch", ""].join(
    "\n",
  );
}
