import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEngines } from "../src/main/engines.ts";
import { stepTypes, type Step } from "../src/contract/grimoire.ts";
import type { LogEntry, SessionDocument, TasksEntry } from "../src/contract/session.ts";
import { logEntrySchema } from "../src/contract/session-schema.ts";
import { ownEngines } from "../src/contract/engine-settings.ts";
import { settingTable } from "../src/contract/settings.ts";
import { preview, step, told, write } from "./support/grimoires.ts";
import { Repo } from "./support/repo.ts";
import { RunRepo } from "./support/run-repo.ts";
import { readStream, runFlow } from "./support/runs.ts";

// docs/ARCHITECTURE.md says how each of these is added. A place that was forgotten fails here, or does not compile.
// Operations have a test of their own: operations.test.ts.

const page = (name: string): string => readFileSync(`docs/${name}`, "utf8");

/** One of each kind, as a program logs it. */
const entries: Record<LogEntry["kind"], LogEntry> = {
  phase: { kind: "phase", title: "Work", agent: "coder" },
  tool: { kind: "tool", name: "bash", args: "npm test", result: "3 failing", failed: true },
  text: { kind: "text", text: "A text." },
  decision: { kind: "decision", text: "Use SQLite." },
  task_complete: { kind: "task_complete", text: "It is done." },
  note: { kind: "note", text: "A note." },
  decision_needed: { kind: "decision_needed", text: "Which one?", id: "q-abcdef" },
  approval_required: { kind: "approval_required", text: "May I?", id: "q-bcdefg" },
  answer: { kind: "answer", id: "q-abcdef", text: "The first." },
  error: { kind: "error", text: "It broke.", resolution: "It was mended." },
  user: { kind: "user", text: "Do it so.", action: "done so" },
  subagent: { kind: "subagent", agent: "reviewer", mode: "inline", summary: "It is fine." },
  remark: { kind: "remark", text: "It was paused.", about: "paused", at: "2026-11-15T09:30:00.000Z" },
  tokens: { kind: "tokens", tokens: 1200, model: "opus", engine: "claude", task: "proj-1", cost_usd: 0.02 },
  tasks: { kind: "tasks", tasks: [{ id: "1", content: "Write it", status: "pending" }] },
};

/** What it says, but for names and fixed words. */
function textsOf(entry: object): string[] {
  const others = ["kind", "id", "mode", "model", "agent", "name", "status", "about", "at", "engine", "task"];
  return Object.entries(entry).flatMap(([field, value]) =>
    typeof value === "string" && !others.includes(field) ? [value] : [],
  );
}

test("S3 every kind of entry is logged, read back, shown in a terminal, and on the page of the format", async () => {
  const kinds = logEntrySchema.def.options.map((option) => option.def.shape.kind.def.values[0]);
  expect(Object.keys(entries).sort()).toEqual(kinds.map(String).sort());
  using repo = new Repo();
  const id = await repo.clew("session", "start", "All of them");
  const lines = Object.values(entries).map((entry) => JSON.stringify(entry));
  await repo.run(["session", "log", "--batch", "-s", id], { input: `${lines.join("\n")}\n` });
  const { phases, tasks } = await repo.json<SessionDocument>("session", "show", id);
  const { phase: _, tasks: list, ...inPhase } = entries;
  expect(phases[0]?.entries).toEqual(Object.values(inPhase));
  expect({ kind: "tasks", tasks }).toEqual(list);
  const shown = await repo.clew("session", "show", id);
  const texts = [...Object.values(entries), ...(list as TasksEntry).tasks].flatMap(textsOf);
  expect(texts.length).toBeGreaterThan(Object.keys(entries).length);
  for (const text of texts) {
    expect(shown).toContain(text);
    const { hits } = await repo.json<{ hits: unknown[] }>("search", `"${text}"`);
    expect([text, hits.length]).toEqual([text, 1]);
  }
  // Answers are given in the inbox, notes are what a person writes between entries, and remarks are Clew's own.
  const byName = kinds.filter((kind) => kind !== "answer" && kind !== "note" && kind !== "remark");
  const help = await repo.clew("session", "log", "--help");
  for (const kind of byName) expect(help).toMatch(new RegExp(`^  ${kind} `, "m"));
  const format = page("formats/session.md");
  for (const kind of kinds) expect([kind, format.includes(`"${kind}"`)]).toEqual([kind, true]);
});

/** The least that a step of each type needs. */
const steps: Record<Step["type"], string> = {
  agent: "- {name: each, type: agent, spell: look}",
  script: "- {name: each, type: script, command: 'true'}",
  loop: "- {name: each, type: loop, max_iterations: 1, steps: [{name: inner, type: script, command: 'true'}]}",
  merge: "- {name: each, type: merge}",
};

test("G1 every type of step is checked, previewed, run, and on the page of the format", async () => {
  expect(Object.keys(steps).sort()).toEqual([...stepTypes].sort());
  const format = page("formats/grimoire.md");
  for (const type of stepTypes) {
    using repo = new RunRepo(steps[type]);
    Object.assign(repo.env, repo.plays([{ result: { success: true, summary: "Looked." } }]));
    write(repo, ".clew/spells/look.md", "Look.\n");
    const shown = await preview(repo, "--engine", "scripted");
    expect([type, told(shown.problems)]).toEqual([type, []]);
    expect(step(shown, "each").type).toBe(type);
    const { stdout } = await runFlow(repo, ["--engine", "scripted", "--json"]);
    const begun = readStream(stdout).events.flatMap((event) => ("kind" in event ? [event.kind] : []));
    expect(begun).toContain(type);
    expect([type, format.includes(`\`${type}\``)]).toEqual([type, true]);
  }
});

test("W2 every engine that has a folder is one of the program's; acp is for the user's own", () => {
  const folders = readdirSync("src/adapters/engines", { withFileTypes: true }).filter((each) => each.isDirectory());
  const [acp, ...names] = folders.map(({ name }) => name);
  expect(acp).toBe("acp");
  expect(openEngines("dist", {}, {}).map(({ name }) => name)).toEqual(names);
  expect([...ownEngines]).toEqual(names);
  const own = openEngines("dist", {}, { mine: { acp: ["my-agent", "--acp"] } });
  expect(own.map(({ name }) => name)).toEqual([...names, "mine"]);
});

test("D6 every setting is told by config show, taken by config set, and on its page", async () => {
  using repo = new Repo();
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, "config");
  await repo.clew("init");
  const { settings } = await repo.json<{ settings: { name: string }[] }>("config", "show");
  expect(settings.map(({ name }) => name)).toEqual(Object.keys(settingTable));
  const config = page("CONFIG.md");
  for (const [name, { fallback, isPersonal }] of Object.entries(settingTable)) {
    expect([name, config.includes(`\`${name}\``)]).toEqual([name, true]);
    // Rules are written, so that no agent sets what it is held to on the way.
    if (name === "policy") expect((await repo.refused(["config", "set", name, fallback])).hint).toContain("POLICY.md");
    else await repo.clew("config", "set", name, fallback, ...(isPersonal ? ["--user"] : []));
  }
});

test("every file that ARCHITECTURE.md names is there", () => {
  const files = ["src", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `/${folder}/${name}`),
  );
  const named = [...page("ARCHITECTURE.md").matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});
