import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ConnectionChange, ConnectionStanding } from "../../src/contract/api/connection.ts";
import { hookEngines } from "../../src/contract/hook.ts";
import { HookRepo } from "../support/hook-repo.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

type Answer<T> = { settings: T[] };

/** Where hooks and the MCP server of each engine go when nothing is said. */
const files: Record<string, { hooks: string; mcp: string }> = {
  claude: { hooks: ".claude/settings.local.json", mcp: ".mcp.json" },
  codex: { hooks: ".codex/hooks.json", mcp: ".codex/config.toml" },
  gemini: { hooks: ".gemini/settings.json", mcp: ".gemini/settings.json" },
  qwen: { hooks: ".qwen/settings.json", mcp: ".qwen/settings.json" },
  opencode: { hooks: ".opencode/plugins/clew.js", mcp: "opencode.json" },
};

/** Settings of somebody who has some, in the style of their own. */
const toml = 'model = "x" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "other"';
const json = '{\r\n\t"model": "x", // mine\r\n\t"hooks": {"Odd": 1,},\r\n\t"mcpServers": {}, "mcp": {"a": 1},\r\n}';

class AgentRepo extends HookRepo {
  constructor(...engines: string[]) {
    super();
    const programs = join(this.userHome, "bin");
    mkdirSync(programs);
    for (const name of engines) writeFileSync(join(programs, name), "#!/bin/sh\n", { mode: 0o755 });
    this.env["PATH"] = `${programs}:/usr/bin:/bin`;
  }

  put(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  get(name: string): string | undefined {
    return existsSync(join(this.root, name)) ? readFileSync(join(this.root, name), "utf8") : undefined;
  }

  connected(): Promise<Answer<ConnectionStanding>> {
    return this.json<Answer<ConnectionStanding>>("mcp", "status");
  }
}

test.each(hookEngines)(
  "H7 clew init --agents connects %s by hooks and MCP, and takes both back to the byte",
  async (engine) => {
    using repo = new AgentRepo(engine);
    const { hooks, mcp } = files[engine]!;
    const before = { [mcp]: mcp.endsWith(".toml") ? toml : json };
    for (const [name, text] of Object.entries(before)) repo.put(name, text);
    const told = await repo.clew("init", "--agents", "--yes");
    expect(told).toContain(join(repo.root, mcp));
    const { settings } = await repo.json<Answer<ConnectionStanding>>("mcp", "status", "--engine", engine);
    expect(settings).toMatchObject([
      { scope: "project", status: "installed" },
      { scope: "user", status: "none" },
    ]);
    expect(repo.get(hooks)).toContain("hook");
    expect(await repo.json("mcp", "install", "--engine", engine)).toMatchObject({ settings: [{ change: "none" }] });
    expect(await repo.clew("init", "--agents")).toContain("Everything is in place");
    await repo.clew("init", "--agents", "--undo", "--yes");
    expect(repo.get(mcp)).toBe(before[mcp]);
    expect(hooks === mcp || repo.get(hooks) === undefined).toBe(true);
    expect(await repo.clew("init", "--agents", "--undo")).toContain("no settings have anything of Clew");
  },
);

test("H7 what is to be changed is shown before; without a terminal it takes --yes, and nothing is touched", async () => {
  using repo = new AgentRepo("gemini", "codex");
  const { code, stdout, stderr } = await repo.run(["init", "--agents"]);
  expect(code).toBe(2);
  expect(stdout).toContain(`codex: ${join(repo.root, ".codex/config.toml")} would be made\n  +# >>> clew mcp`);
  expect(stdout).toContain(`gemini: ${join(repo.root, ".gemini/settings.json")} would be made\n  +{\n  +  "hooks": {`);
  expect(stdout.match(/ {2}\+ {2}"mcpServers": \{/g)).toHaveLength(1);
  expect(stderr).toContain("3 files of engines' settings would change");
  expect(stderr).toContain("--yes");
  for (const name of [".clew", ".gemini", ".codex"]) expect(existsSync(join(repo.root, name))).toBe(false);
  expect((await repo.refused(["init", "--undo"])).code).toBe("usage");
});

test.skipIf(!hasTerminals)("H7 on a terminal the person is asked, and a no changes no settings", async () => {
  using repo = new AgentRepo("claude");
  const question = "Change these settings?";
  const ask = (typed: string) => onTerminal(repo, ["init", "--agents"], { env: repo.env, types: [[question, typed]] });
  const refused = await ask("n\n");
  expect([refused.code, refused.lines.join("\n")]).toEqual([
    0,
    expect.stringContaining("No settings of engines were changed"),
  ]);
  expect([repo.get(".mcp.json"), existsSync(join(repo.root, ".clew"))]).toEqual([undefined, true]);
  const taken = await ask("y\n");
  expect(taken.lines.join("\n")).toMatch(/\+.*"clew": \{[^]*Change these settings\?[^]*Claude Code, MCP server: /);
  expect(repo.get(".mcp.json")).toContain("clew.cjs");
});

test("H7 MCP alone, for all of the user's repositories, and taken out again", async () => {
  using repo = new AgentRepo();
  const paths = [".claude.json", ".codex/config.toml", ".gemini/settings.json", ".qwen/settings.json"];
  writeFileSync(join(repo.userHome, ".claude.json"), '{"projects":{"/x":{"mcpServers":{}}}}');
  for (const engine of hookEngines) await repo.clew("mcp", "install", "--engine", engine, "--scope", "user");
  for (const path of paths) expect(readFileSync(join(repo.userHome, path), "utf8")).toContain("clew.cjs");
  const standing = await repo.connected();
  expect(standing.settings.filter(({ scope }) => scope === "user").map(({ status }) => status)).toEqual(
    hookEngines.map(() => "installed"),
  );
  const { settings } = await repo.json<Answer<ConnectionChange>>("mcp", "uninstall");
  expect(settings.filter(({ change }) => change !== "none").map(({ engine, change }) => [engine, change])).toEqual(
    hookEngines.map((engine) => [engine, engine === "claude" ? "changed" : "removed"]),
  );
  expect(readFileSync(join(repo.userHome, ".claude.json"), "utf8")).toBe('{"projects":{"/x":{"mcpServers":{}}}}');
  expect((await repo.refused(["mcp", "install", "--engine", "claude", "--scope", "local"])).code).toBe("invalid_input");
});

test("H7 links, other programs' servers and broken files are refused, and stay as they are", async () => {
  using repo = new AgentRepo("claude", "gemini");
  const install = ["init", "--agents", "--yes"];
  repo.put("elsewhere.json", "{}");
  symlinkSync(join(repo.root, "elsewhere.json"), join(repo.root, ".mcp.json"));
  expect((await repo.refused(install)).message).toContain("is a link");
  expect([repo.get("elsewhere.json"), repo.get(".claude/settings.local.json")]).toEqual(["{}", undefined]);
  using second = new AgentRepo("claude", "gemini");
  second.put(".mcp.json", '{"mcpServers": {"clew": {"command": "mine"}}}');
  expect((await second.refused(install)).message).toContain('line 1: the MCP server "clew" there is another program');
  second.put(".mcp.json", "{");
  expect((await second.refused(install)).message).toContain(".mcp.json, line 1: ");
  expect(second.get(".gemini/settings.json")).toBeUndefined();
  // A file that cannot be read has nothing to take out, and does not keep the others from it.
  await second.clew("mcp", "install", "--engine", "gemini");
  expect(await second.clew("mcp", "uninstall")).toMatch(
    /\.mcp\.json as it was\n {2}.*line 1[^]*settings\.json removed/,
  );
  expect(second.get(".gemini/settings.json")).toBeUndefined();
});
