import { readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { random } from "../support/random.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

/** Values that a transcript may have in any place, as JSON: what YAML, markdown, dates and numbers trip over. */
const hostile: readonly string[] = [
  ...[
    "",
    " ",
    "\0",
    "a\n---\nb",
    "a\r\nb\rc",
    "\u2028\u2029\u0085\u00a0",
    "\ufeffbegin",
    "\u001b[31m\u202e",
    "🧵".repeat(500),
    "x".repeat(100_000),
    "null",
    "~",
    "true",
    "0x1f",
    "-0",
    "1_000",
    ".nan",
    "[]",
    "{a: 1}",
    "&a *b !!c",
    "key: value # remark",
    "'\"\\",
    "- item",
    "---",
    "...",
    "%YAML 1.2",
    "? key",
    "\t tab",
    "../../../etc/passwd",
    "__proto__",
    "> [!decision]",
    "## Summary",
    "<!-- clew {} -->",
    "<<<<<<< HEAD",
    "agent@1@2 #dev (model)",
    secret,
    `token=${secret}`,
    "password: hunter2hunter2",
    "2026-13-45T99:99:99Z",
    "9999-12-31T23:59:59.999-14:00",
    "+275760-09-13T00:00:00.000Z",
    "-000001-01-01T00:00:00.000Z",
    "0000-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "15 Nov 2026",
    "yesterday",
  ].map((text) => JSON.stringify(text)),
  '"\\ud800"',
  '"a\\udc00b"',
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e308",
  "-1e308",
  "1e400",
  "[]",
  '["a"]',
  "{}",
];

/** The places of a line of Claude that reach a session's frontmatter or headings. */
const places: Record<string, RegExp> = {
  timestamp: /(?<="timestamp":)"[^"]*"/,
  gitBranch: /(?<="gitBranch":)"[^"]*"/,
  sessionId: /(?<="sessionId":)"[^"]*"/,
  agentId: /(?<="agentId":)"[^"]*"/,
  prompt: /(?<="content":)"Begin"/,
  model: /(?<="model":)"[^"]*"/,
  messageId: /(?<="id":)"m-[^"]*"/,
  tool: /(?<="name":)"Bash"/,
  callId: /(?<=_use(?:_id)?":|"tool_use","id":)"c-[^"]*"/,
  input: /(?<="input_tokens":)100/,
  output: /(?<="output_tokens":)10/,
};

test(
  "W12 D2 whatever stands in a transcript, each session that is written of it can be read",
  { timeout: 300_000 },
  async () => {
    using repo = new ImportRepo();
    let number = 0;
    for (const place of Object.values(places)) {
      for (const value of hostile) {
        const name = `s-${number++}`;
        const lines = new ClaudeLines(repo.root, name);
        const all = [
          lines.user("Begin", { gitBranch: "main", agentId: "a1" }),
          lines.call(`m-${name}`, `c-${name}`, "Bash", { command: "ls" }),
          lines.result(`c-${name}`, "a b c"),
        ];
        repo.leave(
          repo.claudePath(`${name}.jsonl`),
          all.map((line) => line.replace(place, () => value)),
        );
      }
    }
    const first = await repo.import();
    expect(first.imported + first.skipped.length).toBeGreaterThanOrEqual(number);
    await repo.clew("index", "rebuild");
    const { unreadable } = await repo.json<{ unreadable: unknown[] }>("session", "list", "--limit", "5000");
    expect(unreadable).toEqual([]);
    for (const id of first.sessions.filter((_, at) => at % 12 === 0)) {
      const { frontmatter } = await repo.show(id);
      expect(frontmatter.session_id).toBe(id);
      expect(Date.parse(frontmatter.ended!)).toBeGreaterThanOrEqual(Date.parse(frontmatter.started));
    }
    // The same again, when nothing is remembered.
    rmSync(join(repo.root, ".git/clew/state"), { recursive: true });
    expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: first.imported });
  },
);

/** Where a transcript of each engine stands; the id is in all its lines and, but for Gemini, in its name. */
const engines: Record<string, { id: string; path: (id: string, repo: ImportRepo) => string }> = {
  claude: { id: "81b1b614-e07b-4d06-88d0-bc90f559f5bb", path: (id, repo) => repo.claudePath(`${id}.jsonl`) },
  codex: {
    id: "01a1e114-8c39-74c0-acd9-98041f776f8b",
    path: (id) => `.codex/sessions/2026/11/15/rollout-2026-11-15T21-19-42-${id}.jsonl`,
  },
  gemini: {
    id: "ef20b951-5c15-4666-a81d-148af80fb0f0",
    path: (id) => `.gemini/tmp/work/chats/session-2026-11-16T12-14-${id}.jsonl`,
  },
  qwen: {
    id: "a14933f0-fb84-4e5a-88bf-fb8a35e3df6e",
    path: (id, repo) => `.qwen/projects/${repo.root.replace(/[^A-Za-z0-9]/g, "-")}/chats/${id}.jsonl`,
  },
};

test.each(Object.keys(engines))(
  "W12 D2 a transcript of %s with any values replaced gives sessions that can be read",
  { timeout: 300_000 },
  async (engine) => {
    using repo = new ImportRepo();
    const { id, path } = engines[engine]!;
    const pick = random(engine.length);
    const lines = repo.fixture(engine);
    repo.leave(".gemini/tmp/work/.project_root", [repo.root]);
    for (let number = 0; number < 80; number++) {
      const own = `${String(number).padStart(8, "0")}${id.slice(8)}`;
      const changed = lines.map((line) => {
        const chance = pick() < 0.5 ? 0.1 : 0;
        // A value that follows a key, and ends with it.
        return line
          .replaceAll(id, own)
          .replace(/(?<="[A-Za-z_]{1,40}":)(?:"(?:[^"\\]|\\.){0,2000}"|-?[\d.]{1,20})(?=[,}])/g, (value) =>
            pick() < chance ? hostile[Math.floor(pick() * hostile.length)]! : value,
          );
      });
      repo.leave(path(own, repo), changed);
    }
    const first = await repo.import();
    expect(first.imported).toBeGreaterThan(30);
    await repo.clew("index", "rebuild");
    const { unreadable } = await repo.json<{ unreadable: unknown[] }>("session", "list", "--limit", "5000");
    expect(unreadable).toEqual([]);
    for (const session of first.sessions.filter((_, at) => at % 12 === 0)) {
      const { frontmatter } = await repo.show(session);
      expect(Date.parse(frontmatter.ended!)).toBeGreaterThanOrEqual(Date.parse(frontmatter.started));
    }
    rmSync(join(repo.root, ".git/clew/state"), { recursive: true });
    expect(await repo.import()).toMatchObject({ imported: 0, continued: 0 });
  },
);

test("W12 D2 a transcript without a valid time begins when its file was written", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const untimed = (time: string, ...all: string[]): string[] =>
    all.map((line) => line.replace(/"timestamp":"[^"]*"/, `"timestamp":${time}`));
  const written = new Date("2026-10-09T08:07:06.500Z");
  for (const [name, time] of Object.entries({ garbage: '"yesterday"', none: "null" })) {
    const said = [lines.user(`Work ${name}`), lines.agent(`m-${name}`, { type: "text", text: "Said" })];
    utimesSync(repo.leave(repo.claudePath(`${name}.jsonl`), untimed(time, ...said)), written, written);
  }
  const { sessions, skipped } = await repo.import();
  expect([sessions.toSorted(), skipped]).toEqual([["2026-10-09-work-garbage", "2026-10-09-work-none"], []]);
  for (const id of sessions) {
    const { frontmatter, phases } = await repo.show(id);
    expect(frontmatter).toMatchObject({ started: written.toISOString(), ended: written.toISOString() });
    expect(phases[0]!.entries).toMatchObject([{ kind: "user" }, { kind: "text", text: "Said" }, { kind: "tokens" }]);
    expect(readFileSync(repo.path(id), "utf8")).not.toContain('""');
  }
});

test("W12 D6 a transcript whose times go back ends no earlier than it began", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const at = (time: string, line: string): string => line.replace(/"timestamp":"[^"]*"/, `"timestamp":"${time}"`);
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    at("2026-11-15T10:00:00.000Z", lines.user("Begin")),
    at("2026-11-15T11:00:00.000Z", lines.agent("m-1", { type: "text", text: "One" })),
    at("2026-11-15T09:00:00.000Z", lines.agent("m-2", { type: "text", text: "Two" })),
  ]);
  const [id] = (await repo.import()).sessions as [string];
  const times = { started: "2026-11-15T10:00:00.000Z", ended: "2026-11-15T11:00:00.000Z" };
  expect((await repo.show(id)).frontmatter).toMatchObject(times);
  repo.append(file, `${at("2026-11-15T08:00:00.000Z", lines.agent("m-3", { type: "text", text: "Three" }))}\n`);
  expect(await repo.import()).toMatchObject({ continued: 1 });
  expect((await repo.show(id)).frontmatter).toMatchObject(times);
});
