// An agent over ACP that calls no hooks: each word of its prompt that looks like a command in backquotes is one call of its shell.
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (fields) => say({ method: "session/update", params: { sessionId: "s-1", update: fields } });

function work(prompt) {
  const commands = [...prompt.matchAll(/`([^`]+)`/g)].map(([, command]) => command);
  for (const [at, command] of commands.entries()) {
    const call = { toolCallId: `call_${at + 1}`, kind: "execute", title: "bash" };
    update({ sessionUpdate: "tool_call", status: "in_progress", rawInput: { command }, ...call });
    const { status, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    const rawOutput = { output: stdout, metadata: { exit: status } };
    update({ sessionUpdate: "tool_call_update", status: status === 0 ? "completed" : "failed", rawOutput, ...call });
  }
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s-1" } });
  else if (method === "session/prompt") {
    work(params.prompt.map(({ text }) => text).join("\n"));
    say({ id, result: { stopReason: "end_turn" } });
  }
}
