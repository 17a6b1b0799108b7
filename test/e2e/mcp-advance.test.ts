import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { built, ConnectedRepo, planned, type Standing } from "../support/connected-repo.ts";
import { McpClient } from "../support/mcp-client.ts";

test.each([
  ["none", {}],
  ["no object", { result: "done" }],
  ["nested too deeply", { result: { success: true, summary: "Done.", outputs: nested(150) } }],
  ["beside an argument that there is not", { result: planned, results: 1 }],
])(
  "H8 a result that cannot be taken comes back with a blocker, its fix and a token to try again: %s",
  async (_, args) => {
    using repo = new ConnectedRepo();
    await using mcp = await McpClient.connect(repo);
    const { token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
    const { isError, data } = await mcp.call("workflow_continue", { token, ...args });
    expect([isError, data]).toMatchObject([
      true,
      { blockers: [{ kind: /^invalid_/, message: /./, fix: /workflow_continue/ }].map(matching), retry_token: token },
    ]);
    const next = await mcp.ask<Standing>("workflow_continue", { token: data["retry_token"], result: planned });
    expect(next.step).toBe("build#1");
  },
);

test("H8 the token of a step whose time was over tells what the run waits for, and who solves it", async () => {
  using repo = new ConnectedRepo("\n- name: plan\n  type: agent\n  timeout: 1s\n  spell: |\n    Plan.\n");
  await using mcp = await McpClient.connect(repo);
  const { run, token } = await mcp.ask<Standing>("workflow_start", { bead: "proj-1" });
  while ((await mcp.ask<Standing>("workflow_resume", { run })).status !== "blocked");
  const { data } = await mcp.call("workflow_continue", { token, result: planned });
  expect(data["blockers"]).toMatchObject([
    { kind: "stale_token" },
    { kind: "step_failed", fix: expect.stringContaining(`clew run retry ${run}`) as string },
  ]);
});

test("H7 of two agents that hand in at once, one is told that its result counts, and the other what was recorded", async () => {
  using repo = new ConnectedRepo();
  await using one = await McpClient.connect(repo);
  await using other = await McpClient.connect(repo, "legacy");
  const agents = { one, other };
  let { token, run } = await one.ask<Standing>("workflow_start", { bead: "proj-1" });
  for (const [step, result] of [
    ["plan", planned],
    ["build", built],
  ] as const) {
    const answers = await Promise.all(
      Object.entries(agents).map(([name, mcp]) =>
        mcp.ask<Standing & { replayed?: { summary: string } }>("workflow_continue", {
          token,
          result: { ...result, summary: `From ${name}.` },
        }),
      ),
    );
    const { run: shown } = await repo.json<{ run: { steps: { path: string; summary?: string }[] } }>(
      "run",
      "show",
      run,
    );
    const recorded = shown.steps.find(({ path }) => path === step)?.summary;
    const said = Object.keys(agents).map((name, at) => answers[at]!.replayed?.summary ?? `From ${name}.`);
    expect(said).toEqual([recorded, recorded]);
    const next = await one.ask<Standing>("workflow_resume", { run });
    if (next.folder) writeFileSync(join(next.folder, "built.txt"), "");
    ({ token, run } = next);
  }
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

function matching(fields: Record<string, RegExp>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, form]) => [name, expect.stringMatching(form)]));
}
