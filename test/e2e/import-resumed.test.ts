import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textsOf } from "../support/repo.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

/** Stands in for Claude Code: it answers each message, and writes what it does into its own transcript, too. */
const standIn = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const session = "s-1";
let number = 0;
const common = { sessionId: session, cwd: process.cwd() };
function both(type, message) {
  const uuid = String(process.pid) + "-" + number++;
  const timestamp = new Date().toISOString();
  appendFileSync(process.env.STAND_IN_FILE, JSON.stringify({ parentUuid: null, isSidechain: false, type, message, uuid, timestamp, ...common }) + "\\n");
  if (type === "assistant" || Array.isArray(message.content)) print({ type, message, session_id: session, uuid });
}
const print = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const { type, message } = JSON.parse(text);
  if (type !== "user") return;
  const id = "msg-" + process.pid + "-" + number;
  const usage = { input_tokens: 1000, output_tokens: 10 };
  const said = (block) => both("assistant", { id, role: "assistant", model: "claude-sonnet-4-5", content: [block], usage });
  print({ type: "system", subtype: "init", session_id: session, model: "claude-sonnet-4-5", tools: [] });
  both("user", { role: "user", content: message.content[0].text });
  said({ type: "tool_use", id: "call-" + id, name: "Bash", input: { command: "ls" } });
  both("user", { role: "user", content: [{ type: "tool_result", tool_use_id: "call-" + id, content: "a.txt", is_error: false }] });
  said({ type: "text", text: "Done for Clew." });
  print({ type: "result", subtype: "success", is_error: false, result: "Done for Clew.", session_id: session, usage, total_cost_usd: 0.5 });
});
`;

test("S9 W12 an imported session that Clew went on with takes in what its engine does by itself, and nothing twice", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Begin"),
    lines.agent("m-1", { type: "text", text: "One" }),
  ]);
  const [id] = (await repo.import()).sessions as [string];
  const later = (line: string, ms: number): string =>
    `${line.replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date(Date.now() + ms).toISOString()}"`)}\n`;
  // Not imported before Clew goes on.
  repo.append(file, later(lines.user("Meanwhile"), -60_000));
  const programs = join(repo.userHome, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "claude"), standIn, { mode: 0o755 });
  Object.assign(repo.env, { PATH: `${programs}:${process.env["PATH"]}`, STAND_IN_FILE: file });
  const resumed = await repo.run(["session", "resume", id, "-m", "Go on"]);
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("Done for Clew.")]);
  const before = (await repo.show(id)).frontmatter;
  expect(before).toMatchObject({ status: "completed", tokens_used: 1120, cost_usd: 0.50045 });

  expect(await repo.import("--dry-run")).toMatchObject({ continued: 1, unchanged: 0 });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, sessions: [id] });
  repo.append(file, later(lines.agent("m-2", { type: "text", text: "By itself" }), 60_000));
  expect(await repo.import("--dry-run")).toMatchObject({ continued: 1, unchanged: 0 });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, sessions: [id] });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1 });

  const shown = await repo.show(id);
  const said = textsOf(shown).filter((text) => text !== "tokens");
  const remark = "The session was completed here, and then went on.";
  expect(said).toEqual(["Begin", "One", remark, "Go on", "tool", "Done for Clew.", "Meanwhile", "By itself"]);
  expect(shown.frontmatter).toMatchObject({ tokens_used: 1230, cost_usd: 0.5009 });
  expect(shown.frontmatter.engine_sessions).toMatchObject([{ engine: "claude", session: "s-1" }]);

  // What Clew does next is seen as Clew's, too, and an import that sees nothing else changes nothing.
  await repo.run(["session", "resume", id, "-m", "Once more"]);
  expect(await repo.import("--dry-run")).toMatchObject({ continued: 0, unchanged: 1 });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1 });
});
