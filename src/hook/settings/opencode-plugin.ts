/** The first line of the plugin; it tells that the file is ours. */
const firstLine = "// Clew's hooks: clew hooks uninstall --engine opencode removes this file.";

export function isOwnPlugin(text: string): boolean {
  return text.startsWith(firstLine);
}

/**
 * A plugin by which opencode tells what its agents do, and heeds what it is answered: a call that is denied is an error in it. Nothing else
 * stops an agent, no fault either.
 */
export function opencodePlugin(program: readonly string[]): string {
  return `${firstLine}
import { spawn } from "node:child_process";

const program = ${JSON.stringify(program)};
/** Sessions of subagents, with their parents, which tell of them. */
const parents = new Map();
let last = Promise.resolve();

function answerIn(code, { stdout, stderr }) {
  if (code === 2) return { decision: "deny", reason: stderr.trim() };
  try {
    return JSON.parse(stdout) ?? {};
  } catch {
    return {};
  }
}

/** The fields as the session at the top tells them, of one of its subagents. */
function ofSubagent(fields) {
  let session_id = fields.session_id;
  for (let left = 100; left > 0 && parents.has(session_id); left--) session_id = parents.get(session_id);
  return { ...fields, session_id, agent_id: fields.session_id };
}

/** One after the other, in their order. Of subagents only what they are about to do: it may be denied. */
function tell(cwd, event, own) {
  const isChild = parents.has(own.session_id);
  if (isChild && event !== "PreToolUse") return {};
  const fields = isChild ? ofSubagent(own) : own;
  const input = JSON.stringify({ hook_event_name: event, cwd, ...fields });
  last = last.then(
    () =>
      new Promise((resolve) => {
        const [command, ...args] = program;
        const child = spawn(command, [...args, "hook", event, "--engine", "opencode"], {
          cwd,
          stdio: ["pipe", "pipe", "pipe"],
        });
        const text = { stdout: "", stderr: "" };
        for (const name of ["stdout", "stderr"])
          child[name].setEncoding("utf8").on("data", (part) => (text[name] += part));
        child.on("error", () => resolve({})).on("close", (code) => resolve(answerIn(code, text)));
        child.stdin.on("error", () => {}).end(input);
      }),
  );
  return last;
}

export const ClewHooks = async ({ directory }) => ({
  event: async ({ event }) => {
    const { type, properties = {} } = event;
    if (type === "session.created" && properties.info?.parentID) parents.set(properties.info.id, properties.info.parentID);
    if (type === "session.idle") await tell(directory, "Stop", { session_id: properties.sessionID });
    if (type === "session.compacted") await tell(directory, "PostCompact", { session_id: properties.sessionID });
    if (type === "session.deleted") await tell(directory, "SessionEnd", { session_id: properties.info?.id });
  },
  "chat.message": async ({ sessionID }, { parts = [] }) => {
    const prompt = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\\n");
    await tell(directory, "UserPromptSubmit", { session_id: sessionID, prompt });
  },
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
    const call = { tool_name: tool, tool_input: args, tool_use_id: callID };
    const answer = await tell(directory, "PreToolUse", { session_id: sessionID, ...call });
    if (answer.decision === "deny") throw new Error(answer.reason || "not allowed here");
    if (answer.input) Object.assign(args, answer.input);
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }, { output }) => {
    const call = { tool_name: tool, tool_input: args ?? {}, tool_use_id: callID };
    await tell(directory, "PostToolUse", { session_id: sessionID, ...call, tool_response: output });
  },
});
`;
}
