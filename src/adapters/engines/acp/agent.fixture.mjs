// An agent that speaks ACP, for tests: it runs the command that a prompt names after "run ", once that is allowed.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const sessionId = "own-1";
/** @type {Map<number, (answer: any) => void>} */
const asked = new Map();
let lastId = 0;
let cancel = () => {};

/** @param {object} message */
const print = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** @param {object} update */
const tell = (update) => print({ method: "session/update", params: { sessionId, update } });

/** @param {string} text @returns {Promise<string>} */
async function work(text) {
  tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I work." } });
  const command = /run (.*)/.exec(text)?.[1];
  if (command === undefined) {
    const result = JSON.stringify({ success: true, summary: "done" });
    tell({ sessionUpdate: "agent_message_chunk", messageId: "last", content: { type: "text", text: result } });
    return "end_turn";
  }
  const toolCall = { toolCallId: "c-1", title: command, kind: "execute", status: "pending", rawInput: { command } };
  const options = [
    { optionId: "a", name: "Allow", kind: "allow_once" },
    { optionId: "r", name: "Reject", kind: "reject_once" },
  ];
  const id = ++lastId;
  print({ id, method: "session/request_permission", params: { sessionId, toolCall, options } });
  const { outcome } = await new Promise((resolve) => asked.set(id, resolve));
  if (outcome.optionId !== "a") return outcome.outcome === "cancelled" ? "cancelled" : "end_turn";
  const child = spawn("/bin/sh", ["-c", command], { stdio: "ignore" });
  const isCancelled = await new Promise((resolve) => {
    cancel = () => (child.kill(), resolve(true));
    child.on("close", () => resolve(false));
  });
  const status = isCancelled ? "failed" : "completed";
  tell({ sessionUpdate: "tool_call_update", toolCallId: "c-1", status, rawOutput: { output: status } });
  return isCancelled ? "cancelled" : "end_turn";
}

createInterface(process.stdin).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) asked.get(id)?.(result);
  if (method === "initialize") print({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") print({ id, result: { sessionId } });
  if (method === "session/cancel") cancel();
  if (method === "session/prompt") {
    const usage = { inputTokens: 10, outputTokens: 1, totalTokens: 11 };
    void work(params.prompt[0].text).then((stopReason) => print({ id, result: { stopReason, usage } }));
  }
});
