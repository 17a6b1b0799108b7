import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { HookRepo } from "../support/hook-repo.ts";
import { Served } from "../support/served.ts";

const variable = "CLEW_HOOKS_TOKEN";

/** A daemon with a port, and a token for hooks alone. */
async function served(): Promise<{ api: Served; repo: HookRepo; token: string } & AsyncDisposable> {
  const repo = new HookRepo();
  await repo.clew("init");
  const api = await Served.start(repo);
  const { token } = await repo.json<{ token: string }>("daemon", "token", "--hooks");
  return { api, repo, token, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

describe("H2 D4 POST /hooks/EVENT", () => {
  test("H2 keeps and answers what an engine tells, as clew hook does; the agent becomes a session", async () => {
    await using hooked = await served();
    const { api, repo, token } = hooked;
    const payloads = repo.payloads("claude").filter(({ session_id }, _, all) => session_id === all[0]!.session_id);
    for (const payload of payloads) {
      const path = `/hooks/${payload.hook_event_name.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase()}?engine=claude`;
      const answer = await api.post(path, payload, { token, loopback: true });
      expect([path, answer.status, answer.text]).toEqual([path, 200, ""]);
    }
    const kept = repo.spool("claude", payloads[0]!.session_id);
    expect(kept.map(({ hook }) => hook)).toEqual(payloads);
    const { sessions } = await repo.json<{ sessions: object[] }>("session", "list");
    expect(sessions).toMatchObject([{ kind: "chat", participants: expect.arrayContaining(["claude"]) as string[] }]);
    expect(existsSync(join(repo.home, "hooks/faults.jsonl"))).toBe(false);
  });

  test("D4 the token of hooks opens nothing else, one that only reads tells nothing, and a revoked one counts no more", async () => {
    await using hooked = await served();
    const { api, repo, token } = hooked;
    const hook = { session_id: "s-1", hook_event_name: "Stop", cwd: repo.root };
    const tell = async (given: string | null, headers = {}): Promise<number> =>
      (await api.post("/hooks/stop", hook, { token: given, loopback: true, headers })).status;
    const looks = ["/sessions", "/metrics", "/openapi.json", "/nothing"].map(
      async (path) => (await api.get(path, { token, loopback: true })).status,
    );
    expect(await Promise.all(looks)).toEqual([403, 403, 403, 403]);
    expect((await api.post("/beads", { title: "No" }, { token })).status).toBe(403);
    const { token: reads } = await repo.json<{ token: string }>("daemon", "token", "--read-only");
    expect([await tell(null), await tell(`${token}x`), await tell(reads)]).toEqual([401, 401, 403]);
    expect([await tell(token, { host: "example.org" }), await tell(token, { origin: "http://example.org" })]).toEqual([
      403, 403,
    ]);
    expect(existsSync(join(repo.home, "hooks/spool"))).toBe(false);
    expect((await api.get("/hooks/stop", { token: api.token })).status).toBe(405);

    await repo.clew("daemon", "restart");
    const { daemon } = await repo.json<{ daemon: Served["daemon"] }>("daemon", "status");
    api.daemon = daemon;
    expect(await tell(token)).toBe(200);
    const { tokens } = await repo.json<{ tokens: { id: string; hooks_only: boolean }[] }>("daemon", "token", "list");
    await repo.clew("daemon", "token", "revoke", tokens.find(({ hooks_only }) => hooks_only)!.id);
    expect(await tell(token)).toBe(401);
  });

  test("H2 what is no hook, and one of another repository, is answered with nothing; a fault is noted", async () => {
    await using hooked = await served();
    const { api, repo, token } = hooked;
    const tell = (body: unknown): ReturnType<Served["post"]> =>
      api.post("/hooks/stop?engine=claude", body, { token, loopback: true });
    expect(await tell([1])).toMatchObject({ status: 200, text: "" });
    expect(await tell({ cwd: repo.root })).toMatchObject({ status: 200, text: "" });
    expect(await tell({ cwd: "/", session_id: "elsewhere" })).toMatchObject({ status: 200, text: "" });
    expect(existsSync(join(repo.home, "hooks/spool"))).toBe(false);
    const faults = readFileSync(join(repo.home, "hooks/faults.jsonl"), "utf8").trimEnd().split("\n");
    expect(faults.map((line) => (JSON.parse(line) as { what: string }).what)).toEqual([
      "the body is no JSON object",
      "the body names no session_id",
    ]);
  });
});

test("H5 a call of another folder is judged by the policy that holds there, and not kept", async () => {
  await using hooked = await served();
  const { api, repo, token } = hooked;
  const cwd = mkdtempSync(join(tmpdir(), "clew-elsewhere-"));
  try {
    execFileSync("git", ["init", "-q", cwd]);
    mkdirSync(join(cwd, ".clew"));
    writeFileSync(
      join(cwd, ".clew/config.yaml"),
      "policy: [{command: git push, decide: deny, reason: a person pushes}]\n",
    );
    const tell = (command: string): ReturnType<Served["post"]> => {
      const call = { cwd, session_id: "elsewhere", tool_name: "Bash", tool_input: { command } };
      return api.post("/hooks/pre-tool-use?engine=claude", call, { token, loopback: true });
    };
    expect((await tell("git push")).text).toContain("a person pushes");
    expect(await tell("git status")).toMatchObject({ status: 200, text: "" });
    expect([existsSync(join(repo.home, "hooks/spool")), existsSync(join(cwd, ".git/clew"))]).toEqual([false, false]);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

describe("H1 clew hooks install --http", () => {
  test("H1 says what is missing: a daemon, its port, the token; and which engines have no such hooks", async () => {
    using repo = new HookRepo();
    await repo.clew("init");
    const install = ["hooks", "install", "--engine", "claude", "--http"];
    expect((await repo.refused(install)).hint).toContain("clew daemon start --port");
    expect((await repo.refused(["hooks", "install", "--engine", "codex", "--http"])).hint).toContain("claude|qwen");
    await using api = await Served.start(repo);
    const without = await repo.refused(install);
    expect(without.hint).toContain(`export ${variable}=$(clew daemon token --hooks)`);
    expect((await repo.refused(install, { env: { [variable]: "nonsense" } })).message).toContain(variable);
    expect(api.daemon.url).not.toBeNull();
  });

  test("H1 writes HTTP hooks without the token, in the place of command hooks, and takes them out to the byte", async () => {
    await using hooked = await served();
    const { api, repo, token } = hooked;
    const env = { [variable]: token };
    const file = ".claude/settings.local.json";
    const before =
      '{\n  // mine\n  "hooks": {"Stop": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:1/x"}]}]}\n}\n';
    write(repo, file, before);
    await repo.clew("hooks", "install", "--engine", "claude");
    const installed = await repo.run(["hooks", "install", "--engine", "claude", "--http"], { env });
    expect(installed.code).toBe(0);
    const text = readFileSync(join(repo.root, file), "utf8");
    expect(text).not.toContain(token);
    expect(text).toContain(`"url": "${api.daemon.url}/hooks/pre-tool-use?engine=claude"`);
    expect(text.match(/hook session-start --engine claude/g)).toHaveLength(1);
    expect(text).not.toContain("hook stop");
    const { settings } = await repo.json<{ settings: object[] }>("hooks", "status", "--engine", "claude");
    expect(settings).toContainEqual(expect.objectContaining({ scope: "local", status: "installed" }));
    await repo.clew("hooks", "install", "--engine", "claude");
    expect(readFileSync(join(repo.root, file), "utf8")).not.toContain("?engine=claude");
    await repo.run(["hooks", "install", "--engine", "claude", "--http"], { env });
    await repo.clew("hooks", "uninstall", "--engine", "claude");
    expect(readFileSync(join(repo.root, file), "utf8")).toBe(before);
  });
});
