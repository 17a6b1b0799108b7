import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionList } from "../../src/contract/api/session-list.ts";
import type { EvidenceLine } from "../../src/contract/hook.ts";
import type { SessionDocument } from "../../src/contract/session.ts";
import { linesOf } from "../support/hook-repo.ts";
import { outcomeOf } from "../support/repo.ts";
import { askedEngines } from "./asked-engines.ts";
import { runOnce } from "./one-shot.ts";
import { realEnvironment } from "./real-agent.ts";
import { realEngine, type RealEngine } from "./real-engine.ts";
import type { Script } from "./model/script.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const prompt = "do what the script says";

const story = (folder: string): Script => ({
  turns: [
    { say: "First the file.", tool: { kind: "write", input: { path: join(folder, "hello.txt"), content: "hello\n" } } },
    { say: "Now a command.", tool: { kind: "shell", input: { command: "expr 6 '*' 7" } } },
    { say: "All is done." },
  ],
});

/** Codex heeds the settings of a project, and hooks at all, only where a person trusts them. */
const scopes: Record<string, string[]> = { codex: ["--scope", "user"] };
const trust: Record<string, string[]> = { codex: ["--dangerously-bypass-hook-trust"] };
/** opencode fetches packages as soon as there is a plugin, and here it cannot: its plugin is called in `test/e2e/hooks-install.test.ts`. */
const engines = askedEngines().filter((name) => name !== "opencode");

function clew(engine: RealEngine, ...args: string[]): string {
  const options = { cwd: engine.folder, env: engine.env, encoding: "utf8" } as const;
  return execFileSync(process.execPath, [program, ...args], options);
}

describe.each(engines)("the real %s with the hooks of Clew", (name) => {
  test("W12 becomes a session by itself", async () => {
    await using engine = await realEngine(name, story);
    const place = ["--engine", name, ...(scopes[name] ?? [])];
    clew(engine, "hooks", "install", ...place);
    await runOnce(name, engine, prompt, trust[name]);

    const spools = join(engine.folder, ".git/clew/hooks/spool");
    const [spool, ...more] = readdirSync(spools);
    expect(more).toEqual([]);
    const events = readFileSync(join(spools, spool!), "utf8").match(/(?<="event":")\w+/g)!;
    expect(events).toEqual(expect.arrayContaining(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"]));

    const { sessions } = JSON.parse(clew(engine, "session", "list", "--json")) as SessionList;
    expect(sessions).toMatchObject([{ title: prompt, kind: "chat", participants: [name] }]);
    const shown = clew(engine, "session", "show", sessions[0]!.session_id, "--json");
    const entries = (JSON.parse(shown) as SessionDocument).phases.flatMap((phase) => phase.entries);
    expect(entries).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: "user", text: prompt }),
        expect.objectContaining({ kind: "tool", result: expect.stringContaining("42") as string }),
        expect.objectContaining({ kind: "text", text: expect.stringContaining("All is done.") as string }),
      ]),
    );
    expect(sessions[0]!.tokens_used).toBeGreaterThan(0);
    expect(clew(engine, "doctor")).toContain("no call of an engine failed");

    const imported = JSON.parse(clew(engine, "session", "import", "--json")) as { imported: number };
    expect(imported.imported).toBe(0);
    clew(engine, "hooks", "uninstall", ...place);
    expect(clew(engine, "hooks", "status", "--json")).not.toContain('"installed"');
  });
});

/** Those that tell their hooks over HTTP when Clew starts them. */
const tellers = askedEngines().filter((name) => name === "claude" || name === "qwen");

describe.each(tellers)("the real %s as an agent of Clew's", (name) => {
  test("H1 H2 H3 tells its hooks over HTTP; they agree with its stream, and the user's own hooks still work", async () => {
    await using engine = await realEngine(name, story);
    const settings = join(engine.home, `.${name}/settings.json`);
    const before = existsSync(settings) ? (JSON.parse(readFileSync(settings, "utf8")) as object) : {};
    const own = [{ hooks: [{ type: "command", command: "echo called >> ~/own-hook" }] }];
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify({ ...before, hooks: { PreToolUse: own } }));
    clew(engine, "init");
    const env = realEnvironment(engine);
    const said = ["ai", name, prompt, "--one-shot", "--quiet", "--level", "full"];
    const talk = spawn(process.execPath, [program, ...said], { cwd: engine.folder, env });
    talk.stdin.end();
    expect(await outcomeOf(talk)).toMatchObject({ code: 0, stdout: "All is done.\n" });

    const [session] = readdirSync(join(engine.folder, ".git/clew/evidence"));
    const lines = linesOf<EvidenceLine>(join(engine.folder, ".git/clew/evidence", session!));
    const events = lines.map(({ event }) => event);
    const usual = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
    expect(events).toEqual(expect.arrayContaining(usual));
    expect(new Set(lines.map(({ via }) => via))).toEqual(new Set(["http"]));
    expect(new Set(lines.map(({ engine: by }) => by))).toEqual(new Set([name]));
    const idsOf = (event: string): (string | null)[] =>
      lines.filter((line) => line.event === event).map(({ tool_use_id }) => tool_use_id);
    const transcripts = join(engine.folder, ".git/clew/transcripts", session!.replace(".jsonl", ""));
    const printed = readdirSync(transcripts).map((file) => readFileSync(join(transcripts, file), "utf8"));
    const inStream = [...new Set(printed.join("").match(/(?<="type":"tool_use","id":")[^"]+/g))];
    expect(inStream).toHaveLength(2);
    expect(idsOf("PreToolUse")).toEqual(inStream);
    expect(idsOf("PostToolUse")).toEqual(inStream);
    expect(existsSync(join(engine.folder, ".git/clew/hooks"))).toBe(false);
    expect(readFileSync(join(engine.home, "own-hook"), "utf8")).toBe("called\ncalled\n");
    // Qwen lays its settings out anew by itself.
    const after = JSON.parse(readFileSync(settings, "utf8")) as { hooks: object };
    expect(after.hooks).toEqual({ PreToolUse: own });
  });
});
