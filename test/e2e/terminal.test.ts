import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { Repo, type Outcome } from "../support/repo.ts";

/** Colours, a title, a clear screen by one character, a bell, a return, deletion, a direction override and an isolate. */
const evil = "needle \u001b[31mred\u001b]0;title\u0007\u009b2J\u0008\r\u007f\u202eright\u2066";
const line = evil.replace("\r", "");
/** Everything that takes effect in a terminal, but for colours that Clew itself uses. */
const effects = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\u001b(?!\[\d{1,2}m)/;
const ownColors = new Set(["0", "1", "2", "4", "22", "24", "31", "32", "33", "34", "35", "36", "39"]);
const session = "2026-11-01-evil";

let repo: Repo;

beforeAll(async () => {
  repo = new Repo();
  const json = JSON.stringify(line);
  repo.place(
    session,
    {
      title: line,
      channel: line,
      model: line,
      participants: [`a${line}`],
      branch: line,
      commit: line,
      error: line,
      parent: line,
      bead: line,
      run: line,
      resume_point: line,
      subagents: [{ session: line, agent: line, model: line, tokens: 1 }],
    },
    [
      `# ${line}\n\n${line}\n\n## Work ${line} @a${line} #b${line}`,
      `<!-- clew {"id":${json},"at":${json}} -->\n`,
      `**Tool calls:**\n- \`bash ${line}\` (whole: \`${line}\`) → ✗ ${line}\n  <!-- clew {"tokens":3,"model":${json}} -->\n`,
      `> [!decision]\n> ${line}\n\n> [!error] ${line}\n> Resolution: ${line}\n\n> [!user]\n> "${line}"\n> Action: ${line}\n`,
      `> [!answer] ${line}\n> ${line}\n\n> [!decision_needed] ask-1\n> ${line}\n\n> [!approval_required]\n> ${line}\n`,
      `> [!subagent] @x${line} (${line})\n> mode: embed\n> ![[${line}]]\n>\n> ${line}\n> Summary: ${line}\n`,
      `\`\`\`tasks\n[{"id":${json},"content":${json},"status":"pending","priority":${json}}]\n\`\`\`\n\n${line}\n\n## Summary\n${line}\n`,
    ].join("\n"),
  );
  writeFileSync(join(repo.root, ".clew/sessions", session, "extra"), "");
  mkdirSync(join(repo.root, ".clew/sessions", `broken${line.replaceAll("/", "")}`));
  write(repo, `.clew/sessions/2026-11-02-broken/session.md`, `---\n${line}: [\n---\n`);
  const bead = {
    id: "proj-1",
    title: line,
    status: "open",
    priority: 1,
    issue_type: "task",
    created_at: "2026-11-01T00:00:00Z",
    updated_at: "2026-11-01T00:00:00Z",
  };
  const full = {
    description: evil,
    design: evil,
    acceptance_criteria: evil,
    notes: evil,
    assignee: line,
    labels: [line],
    external_ref: line,
    created_by: line,
    close_reason: evil,
    dependencies: [{ issue_id: "proj-2", depends_on_id: "proj-1", type: line, created_at: line, created_by: line }],
    comments: [{ id: 1, issue_id: "proj-2", author: line, text: evil, created_at: line }],
  };
  const flow = { ...bead, id: "proj-3", title: "works" };
  write(
    repo,
    ".beads/issues.jsonl",
    [bead, { ...bead, ...full, id: "proj-2" }, flow, { ...bead, id: line, status: line }]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join("") + `not json ${line}\n`,
  );
  write(
    repo,
    `.clew/grimoires/${line.replaceAll("/", "")}.yaml`,
    `name: ${json}\ndescription: ${json}\nsteps:\n  - id: one\n    type: script\n    command: ${json}\n`,
  );
  write(
    repo,
    ".clew/grimoires/bad.yaml",
    `name: bad\n${json}: ${json}\nsteps:\n  - id: ${json}\n    type: ${json}\n    ${json}: 1\n`,
  );
  const print = `printf '${escaped(evil)}\\n'; printf '${escaped(evil)}\\n' >&2; exit 3`;
  write(
    repo,
    ".clew/grimoires/flow.yaml",
    `name: flow\ndescription: ${json}\nsteps:\n  - name: one\n    type: script\n    command: ${JSON.stringify(print)}\n`,
  );
  write(repo, `.clew/spells/${line.replaceAll("/", "")}.md`, evil);
  repo.configure(`default_grimoire: flow\nengine: scripted\n`);
  await repo.run(["run", "proj-3"], { env: { USER: line, EDITOR: line } });
}, 60_000);

afterAll(() => repo[Symbol.dispose]());

/** For a shell's `printf`. */
function escaped(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

const looks: string[][] = [
  [],
  ["status"],
  ["session", "list"],
  ["session", "show", session],
  ["session", "stats"],
  ["session", "stats", session],
  ["session", "search", "needle"],
  ["session", "show", `no${line}`],
  ["session", line],
  [line],
  ["session", "list", `--${line}`],
  ["session", "list", "--status", line],
  ["search", "needle"],
  ["search", line],
  ["inbox"],
  ["doctor"],
  ["index", "check"],
  ["config", "show"],
  ["bead", "list"],
  ["bead", "list", "--all"],
  ["bead", "ready"],
  ["bead", "show", "proj-2"],
  ["bead", "show", line],
  ["bead", "graph"],
  ["grimoire", "list"],
  ["grimoire", "show", line],
  ["grimoire", "show", "flow"],
  ["grimoire", "show", "bad"],
  ["grimoire", "validate"],
  ["grimoire", "validate", "bad"],
  ["grimoire", "preview", "flow", "--bead", "proj-2"],
  ["grimoire", "preview", line, "--bead", "proj-2"],
  ["spell", "render", `no${line}`],
  ["run", "list"],
  ["run", "show", "latest"],
  ["run", "show", line],
  ["run", "log", "latest"],
  ["run", "log", "--all"],
  ["run", "diff", "latest", "--stat"],
  ["worktree", "list"],
  ["complete", "--", "session", "show", ""],
];

function assertClean({ stdout, stderr }: Outcome, colors: boolean): void {
  for (const text of [stdout, stderr]) {
    expect(text).not.toMatch(effects);
    const used = new Set(Array.from(text.matchAll(/\u001b\[(\d+)m/g), ([, code]) => code!));
    expect([...used].filter((code) => !colors || !ownColors.has(code))).toEqual([]);
    // A colour of the data would stand right before its word.
    expect(text).not.toContain("\u001b[31mred");
  }
}

describe("S12 nothing from outside takes effect in a terminal", () => {
  test.for(looks.map((args) => [args] as const))("clew %j", async ([args]) => {
    const outcome = await repo.run(args);
    assertClean(outcome, false);
    assertClean(await repo.run(args, { env: { FORCE_COLOR: "1", CLEW_DEBUG: "1", USER: line } }), true);
    const { stdout, stderr } = await repo.run([...args, "--json"]);
    assertClean({ code: 0, stdout, stderr }, false);
  });

  test("the planted characters do come out, as symbols", async () => {
    for (const args of [
      ["session", "show", session],
      ["search", "needle"],
      ["bead", "show", "proj-2"],
      ["inbox"],
      ["run", "show", "latest"],
      ["run", "log", "latest"],
    ]) {
      expect([args, await repo.clew(...args)]).toEqual([args, expect.stringContaining("␛[31mred")]);
    }
  });

  test("JSON says the same as before, in characters that can be looked at", async () => {
    const { bead } = await repo.json<{ bead: { description: string; labels: string[] } }>("bead", "show", "proj-2");
    expect(bead.description).toBe(evil);
    expect(bead.labels).toEqual([line]);
  });

  test("session.md gets visible characters", async () => {
    const id = await repo.clew("session", "start", `New ${line}`);
    await repo
      .clew("session", "log", "-s", id, "decision", "-m", evil)
      .catch(() => repo.log(id, { kind: "decision", text: evil }));
    await repo.log(
      id,
      { kind: "tool", name: "bash", args: evil, result: evil, failed: false },
      { kind: "text", text: evil },
    );
    const text = readFileSync(repo.path(id), "utf8");
    expect(text).toContain("␛[31mred");
    expect(text).not.toMatch(effects);
    expect(text).not.toContain("\u001b");
  });
});
