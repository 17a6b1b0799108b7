import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planText, TurnRepo } from "../support/turn-repo.ts";

/** An agent that speaks ACP, and answers every prompt with a plan. */
const acpAgent = `
import { createInterface } from "node:readline";
const sessionId = "own-1";
const print = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface(process.stdin).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") print({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === "session/new") print({ id, result: { sessionId } });
  if (method !== "session/prompt") return;
  const content = { type: "text", text: ${JSON.stringify(planText("From another engine"))} };
  print({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content } } });
  print({ id, result: { stopReason: "end_turn" } });
});
`;

describe("T3 what the model saw, and what it left unsaid", () => {
  test("T3 an answer that was cut off or refused, and a reached limit, make no turn and say so", async () => {
    using repo = new TurnRepo();
    repo.answers({
      "Too long": { say: planText("Half"), stop: "max_tokens" },
      "Not this": { say: planText("No"), stop: "refusal" },
      "Much of it": { say: planText("Dear"), usage: { input: 900, output: 200 }, delay_ms: 100 },
    });
    const id = await repo.newSession("stops");
    const cut = await repo.run(["session", "plan", "-m", "Too long"]);
    expect([cut.code, cut.stdout]).toEqual([1, ""]);
    expect(cut.stderr).toContain("the answer of scripted was cut off at its model's limit; no turn was made");
    const refused = await repo.run(["session", "plan", "-m", "Not this"]);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("refused to answer; no turn was made");
    const limited = await repo.run(["session", "plan", "-m", "Much of it", "--max-tokens", "1000"]);
    expect([limited.code, limited.stdout]).toEqual([4, ""]);
    expect(limited.stderr).toContain("no turn was made");
    expect(repo.entries(id)).toEqual(["session.context", "session.md"]);
  });

  test("T3 what reached the model beside the log stands in turns.jsonl and on stderr", async () => {
    using repo = new TurnRepo();
    repo.env["XDG_CONFIG_HOME"] = join(repo.home, "of-the-user");
    repo.write("agent.mjs", acpAgent);
    const command = `[${process.execPath}, ${JSON.stringify(join(repo.root, "agent.mjs"))}]`;
    await repo.clew("config", "set", "engines", `{mine: {acp: ${command}}}`, "--user");
    repo.answers({ Bare: planText("Bare") });
    const id = await repo.newSession("beside");
    const bare = await repo.run(["session", "plan", "-m", "Bare"]);
    expect([bare.code, bare.stderr.includes("beside")]).toEqual([0, false]);
    repo.executed(id, "01");
    const more = await repo.run(["session", "plan", "-m", "More", "--engine", "mine"]);
    expect(more.stderr).toMatch(/beside _context\.log, mine showed its model: a system prompt of its own, its tools, /);
    expect(repo.lines(id).flatMap((line) => (line.type === "planned" ? [line.beside_context] : []))).toEqual([
      [],
      ["system_prompt", "tools", "user_memory", "project_memory", "hooks", "mcp", "environment"],
    ]);
  });
});
