import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { expect, test } from "vitest";
import { node } from "../support/node.ts";
import { RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The examples of docs/API.md in one language, in order. */
function examples(language: string): string[] {
  const text = readFileSync(join(root, "docs/API.md"), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code = ""]) =>
    name === language ? [code] : [],
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test("D2 D3 the examples for curl do what the page says", async () => {
  await using api = await Served.start(new RunRepo("- {name: x, type: script, command: echo x}"));
  const { repo } = api;
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "completed");
  // The page starts a daemon of its own.
  await repo.clew("daemon", "stop");
  const bin = join(repo.home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "clew"), `#!/bin/sh\nexec '${node}' '${join(root, "dist/clew.cjs")}' "$@"\n`, {
    mode: 0o755,
  });
  const port = await freePort();
  const blocks = examples("sh");
  const parts = blocks.map((code, at) => `echo; echo '== ${at}'\n${code.replaceAll("4780", String(port))}`);
  const script = ["set -eu", ...parts].join("\n");
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: repo.home, ...repo.env };
  const { stdout } = await run("bash", ["-c", script], { cwd: repo.root, env });
  const printed = stdout.split(/^== \d+$/m).slice(1);
  expect(printed).toHaveLength(blocks.length);
  const [, asked = "", refused, once = "", unchanged, page, events = ""] = printed;
  expect(asked).toContain('"needs_you":');
  expect(asked).toContain('"session_id":');
  expect(refused).toContain("unknown_run");
  expect(new Set(once.match(/"id":"[^"]*"/g)).size).toBe(1);
  expect(readFileSync(join(repo.root, ".beads/issues.jsonl"), "utf8").match(/Only once/g)).toHaveLength(1);
  expect(unchanged).toContain("304");
  expect(page).toContain('"sessions":[');
  expect(events).toContain("id: 1\nevent: workflow.started\ndata: {");
  expect(events).toContain("event: start\n");
});

test("D2 D3 the examples in TypeScript do what the page says", async () => {
  await using api = await Served.start(new RunRepo("- {name: x, type: script, command: exit 1}"));
  const { repo, daemon, token } = api;
  const folder = join(repo.home, "program");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/clew"));
  const env = { PATH: process.env["PATH"], URL: daemon.url!, SOCKET: daemon.socket, TOKEN: token };
  const printed: string[] = [];
  for (const [at, code] of examples("ts").entries()) {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(join(folder, `${at}.mjs`), outputText);
    printed.push((await run(node, [`${at}.mjs`], { cwd: folder, env })).stdout);
  }
  expect(printed).toEqual([
    expect.stringMatching(/^unknown_run .*no-such/),
    expect.stringMatching(/^\d+ \S+ workflow\.blocked\n/),
  ]);
  const { sessions } = await repo.json<{ sessions: { title: string }[] }>("session", "list");
  expect(sessions.map(({ title }) => title)).toContain("From a program");
});
