import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CodifiedText } from "../../src/contract/api/codify.ts";
import { write } from "../support/grimoires.ts";
import { call, LearnRepo, phase } from "../support/learn-repo.ts";
import { RunRepo } from "../support/run-repo.ts";

const work = [phase("Test"), call("npm test", "1 failed", true), call("npm test", "all passed")];
const grimoire = "name: mine\ndescription: D.\nsteps:\n  - {name: one, type: script, command: echo hi}\n";

test("S13 codify writes the form that the file's name says, and refuses a form that disagrees", async () => {
  using repo = new LearnRepo();
  const id = await repo.session("Fix the login", ...work);
  const written = async (file: string): Promise<string> => {
    await repo.clew("session", "codify", id, "-o", file);
    return readFileSync(join(repo.root, file), "utf8");
  };
  expect(await written("foo.md")).toContain("type: workflow");
  await repo.clew("grimoire", "validate", "foo.md");
  expect(await written("foo.yml")).toContain("steps:");
  expect(await written("skill/SKILL.md")).toContain("name: fix-the-login\ndescription:");
  for (const [form, file] of [
    ["markup", "bar.yaml"],
    ["skill", "bar.yaml"],
    ["grimoire", "bar.md"],
  ] as const) {
    const error = await repo.refused(["session", "codify", id, "--format", form, "-o", file]);
    expect([error.code, error.hint]).toEqual(["usage", "leave --format out, or give the file another ending"]);
    expect(existsSync(join(repo.root, file))).toBe(false);
  }
  await repo.clew("session", "codify", id, "--format", "skill", "-o", "notes.md");
});

test("S13 the next command quotes the file's name for the shell", async () => {
  using repo = new LearnRepo();
  const id = await repo.session("Fix the login", ...work);
  const printed = await repo.clew("session", "codify", id, "-o", "out dir/again.yaml");
  expect(printed).toContain("Next: clew grimoire preview 'out dir/again.yaml' --bead ID");
});

test("S13 convert writes the form that the file's name says, refuses one that disagrees, and knows what is meant by markdown", async () => {
  using repo = new RunRepo("- {name: one, type: script, command: echo hi}");
  write(repo, "mine.yaml", grimoire);
  await repo.clew("grimoire", "convert", "mine.yaml", "-o", "again.yaml");
  await repo.clew("grimoire", "validate", "again.yaml");
  expect(readFileSync(join(repo.root, "again.yaml"), "utf8")).toContain("steps:");
  const error = await repo.refused(["grimoire", "convert", "mine.yaml", "--to", "yaml", "-o", "mine.md"]);
  expect([error.code, error.message]).toEqual([
    "usage",
    "mine.md is the name of a file in the form markup, and --to asks for yaml",
  ]);
  expect((await repo.refused(["grimoire", "convert", "mine.yaml", "--to", "markdown"])).hint).toBe(
    "did you mean markup?",
  );
});

test("S13 no file becomes a second grimoire of the same name, by convert or by codify", async () => {
  using repo = new RunRepo("- {name: one, type: script, command: echo hi}");
  const taken = ".clew/grimoires/flow.yaml is called flow already, and two grimoires of one name are not found by it";
  const flow = ".clew/grimoires/flow.md";
  expect((await repo.refused(["grimoire", "convert", "flow", "-o", flow])).message).toBe(taken);
  await repo.run(["run", "proj-1"]);
  expect((await repo.refused(["session", "codify", "latest", "-o", flow])).message).toBe(taken);
  expect(existsSync(join(repo.root, flow))).toBe(false);
  await repo.clew("grimoire", "convert", "flow", "-o", "flow.md");
});

test("S13 codify says which session it took where none was named, and takes the newest run of a bead", async () => {
  using repo = new RunRepo("- {name: one, type: script, command: echo hi}");
  await repo.run(["run", "proj-1"]);
  const run = await repo.runId();
  const of = await repo.json<CodifiedText>("session", "codify", "proj-1");
  expect([of.sessions, of.notes.join("\n")]).toEqual([
    [run],
    expect.stringContaining(`proj-1 is a bead: this is ${run}`),
  ]);
  await repo.clew("session", "start", "Later");
  const later = (await repo.json<{ session_id: string }>("session", "start", "Latest")).session_id;
  await repo.log(later, ...work);
  const { stderr } = await repo.run(["session", "codify"]);
  expect(stderr).toContain(`of ${later}, the newest session\n`);
  const named = await repo.run(["session", "codify"], { env: { CLEW_SESSION: run } });
  expect(named.stderr).toContain(`of ${run}, which CLEW_SESSION names\n`);
  expect((await repo.run(["session", "codify", later])).stderr).not.toContain("the newest session");
  expect((await repo.refused(["session", "codify", "proj-2"])).code).toBe("unknown_session");
});

test("W9 an exported session has the form that the file's name says", async () => {
  using repo = new LearnRepo();
  const id = await repo.session("Fix the login", ...work);
  await repo.clew("session", "export", id, "-o", "one.html");
  expect(readFileSync(join(repo.root, "one.html"), "utf8")).toMatch(/^<!doctype html>/);
  await repo.clew("session", "export", id, "-o", "one.md");
  expect(readFileSync(join(repo.root, "one.md"), "utf8")).toMatch(/^# Fix the login/);
  expect((await repo.refused(["session", "export", id, "--format", "html", "-o", "two.md"])).code).toBe("usage");
});

test("S13 runs whose steps are called alike, with nothing alike in them, have no step in common", async () => {
  using repo = new RunRepo('- {name: work, type: agent, spell: "Renew the token.\\nKeep it.\\n"}');
  const other =
    'name: other\ndescription: D.\nsteps:\n  - {name: work, type: agent, spell: "Draw a house.\\nPaint it.\\n"}\n';
  write(repo, ".clew/grimoires/other.yaml", other);
  const env = repo.plays({ result: { success: true, summary: "done" } });
  await repo.run(["run", "proj-1"], { env });
  await repo.clew("bead", "reopen", "proj-1");
  await repo.run(["run", "proj-1", "--grimoire", "other"], { env });
  const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list");
  const ids = sessions.map(({ session_id: id }) => id);
  expect(ids).toHaveLength(2);
  const error = await repo.refused(["session", "codify", ...ids]);
  expect([error.code, error.message]).toEqual(["not_possible_now", `${ids.join(", ")} have no step in common`]);
});
