import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Repo } from "./repo.ts";

/** Puts a stand-in for Claude Code on the PATH that prints these lines; `after` is what it does then: it waits until it is told no more. */
export function playClaude(repo: Repo, lines: object[], after = "exec cat > /dev/null"): void {
  const folder = join(repo.root, ".git/programs");
  mkdirSync(folder, { recursive: true });
  const texts = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "claude.jsonl"), texts);
  const script = `#!/bin/sh\ncat '${join(folder, "claude.jsonl")}'\n${after}\n`;
  writeFileSync(join(folder, "claude"), script, { mode: 0o755 });
  repo.env["PATH"] = `${folder}:${process.env["PATH"]}`;
}

export const claudeInit = { type: "system", subtype: "init", session_id: "claude-1", model: "claude-opus-5-5" };

interface Message {
  id: string;
  blocks: object[];
  /** Input and output. */
  tokens: [number, number];
  /** The call under which a subagent says it. */
  under?: string;
}

export function said({ id, blocks, tokens: [input_tokens, output_tokens], under }: Message): object {
  const usage = { input_tokens, output_tokens, cache_read_input_tokens: 0 };
  const message = { id, type: "message", role: "assistant", model: "claude-opus-5-5", content: blocks, usage };
  return { type: "assistant", message, parent_tool_use_id: under ?? null };
}

export const text = (words: string): object => ({ type: "text", text: words });
export const call = (id: string, name: string, input: object): object => ({ type: "tool_use", id, name, input });

export function resultOf(id: string, content: string, under?: string): object {
  const block = { type: "tool_result", tool_use_id: id, content };
  return { type: "user", message: { role: "user", content: [block] }, parent_tool_use_id: under ?? null };
}

/** `tokens` are all that the agent and its subagents used. */
export function claudeEnd(tokens: [number, number], cost: number, result: object): object {
  const [inputTokens, outputTokens] = tokens;
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "",
    structured_output: result,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens, cache_read_input_tokens: 0 },
    modelUsage: { "claude-opus-5-5": { inputTokens, outputTokens, costUSD: cost } },
    total_cost_usd: cost,
    permission_denials: [],
  };
}
