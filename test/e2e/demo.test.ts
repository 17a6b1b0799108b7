import { expect, test } from "vitest";
import { EngineRepo } from "../support/engine-programs.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

const ready = 'echo "2.1.325 (Claude Code)"';

test("W2 the demo with an engine of one's own costs money: without a terminal it is refused unless --yes", async () => {
  using repo = new EngineRepo();
  repo.install("claude", ready);
  repo.env["ANTHROPIC_API_KEY"] = "key";
  const { code, stdout, stderr } = await repo.run(["demo", "--engine", "claude"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/its model is paid by you; without a terminal nobody can be asked/);
  expect(stderr).toContain("clew demo --engine claude --yes");
});

test("W2 the demo with an engine that is missing or unknown says so before anything is asked", async () => {
  using repo = new EngineRepo();
  const missing = await repo.run(["demo", "--engine", "claude", "--yes"]);
  expect([missing.code, missing.stdout]).toEqual([2, ""]);
  expect(missing.stderr).toMatch(/claude cannot play the demo: .*no folder on the PATH has claude/);
  expect(missing.stderr).toContain("npm install -g @anthropic-ai/claude-code");
  const unknown = await repo.run(["demo", "--engine", "cluade", "--yes"]);
  expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
  expect(unknown.stderr).toContain("did you mean claude?");
});

test.runIf(hasTerminals)("W2 on a terminal it asks, and without a yes plays nothing", async () => {
  using repo = new EngineRepo();
  repo.install("claude", ready);
  const env = { PATH: repo.env["PATH"]!, ANTHROPIC_API_KEY: "key" };
  const types: [string, string][] = [["[y/N]", "\r"]];
  const { code, lines } = await onTerminal(repo, ["demo", "--engine", "claude"], { env, types });
  expect(code).toBe(130);
  expect(lines.join(" ")).toMatch(/With claude, your own agent works .* Play it\? \[y\/N\]/);
  expect(lines.join(" ")).toContain("the demo was not played");
  expect(lines.join(" ")).not.toContain("Somebody hands work");
});
