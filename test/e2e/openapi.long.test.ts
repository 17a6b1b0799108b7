import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installTool, problemsOf, typesOf } from "../../tools/openapi/tool.mjs";
import { node } from "../support/node.ts";
import { Repo } from "../support/repo.ts";
import { Served } from "../support/served.ts";

const run = promisify(execFile);

/** What somebody might write against the generated types. */
const program = `
import createClient from "openapi-fetch";
import type { components, paths } from "./clew.ts";

const { BASE = "", TOKEN = "" } = process.env;
const client = createClient<paths>({ baseUrl: BASE, headers: { authorization: \`Bearer \${TOKEN}\` } });

const { data: started } = await client.POST("/sessions", { body: { title: "Generated" } });
const session = started!.session_id;
await client.POST("/sessions/{session}/entries", {
  params: { path: { session } },
  body: { entry: { kind: "decision", text: "Use what others wrote" } },
});
await client.POST("/sessions/{session}/pause", { params: { path: { session } }, body: {} });
const { data: shown } = await client.GET("/sessions/{session}", { params: { path: { session } } });
const status: components["schemas"]["Session"]["status"] = shown!.frontmatter.status;
const { data: list } = await client.GET("/sessions", { params: { query: { status: "paused", limit: 5 } } });
const { data: runs } = await client.GET("/workflows", { params: { query: { all: true } } });
const { error, response } = await client.GET("/workflows/{run}", { params: { path: { run: "no-such" } } });
// @ts-expect-error There is no such field.
void shown!.frontmatter.status.nope;
// @ts-expect-error There is no such path.
void client.GET("/nope");
console.log(JSON.stringify({
  status,
  sessions: list!.sessions.map(({ session_id }) => session_id === session),
  runs: runs!.runs.length,
  refused: [response.status, error!.error.code],
}));
`;

test("D2 the document that is served has no fault that a linter, or the schema of OpenAPI, finds", async () => {
  await using api = await Served.start(new Repo());
  const { text } = await api.get("/openapi.json");
  expect(await problemsOf(text)).toEqual([]);
  // It is not content with everything.
  const broken = JSON.parse(text);
  delete broken.paths["/sessions/{session}"].get.parameters;
  expect(await problemsOf(JSON.stringify(broken))).not.toEqual([]);
});

test("D2 a client whose types are generated from the served document asks the daemon", async () => {
  await using api = await Served.start(new Repo());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "clew-generated-")));
  try {
    const modules = join(await installTool(), "node_modules");
    symlinkSync(modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(join(folder, "clew.ts"), await typesOf((await api.get("/openapi.json")).text));
    writeFileSync(
      join(folder, "program.ts"),
      `declare const process: { env: Record<string, string | undefined> };\n${program}`,
    );
    const options = ["--target", "ES2022", "--module", "NodeNext", "--strict", "--lib", "ES2022,DOM,DOM.Iterable"];
    const types = ["--skipLibCheck", "--rewriteRelativeImportExtensions", "--outDir", "out"];
    const tsc = join(modules, "typescript/bin/tsc");
    await run(node, [tsc, ...options, ...types, "program.ts"], { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout.slice(0, 3000));
    });
    const env = { ...process.env, BASE: api.daemon.url!, TOKEN: api.token };
    const { stdout } = await run(node, ["out/program.js"], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({
      status: "paused",
      sessions: [true],
      runs: 0,
      refused: [404, "unknown_run"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
