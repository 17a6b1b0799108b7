import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

test("S12 rename changes title and heading, keeps the id and the rest of the file", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Old name");
  await repo.log(id, { kind: "text", text: "stays" });
  const phases = repo.read(id).split("# Old name\n")[1];
  await repo.clew("session", "rename", id, "New @name #1");
  expect((await repo.show(id)).frontmatter).toMatchObject({ session_id: id, title: "New @name #1" });
  expect(repo.read(id).split(/^# New .*\n/m)[1]).toBe(phases);
  expect(await repo.clew("session", "list")).toContain("New @name #1");
  expect(await repo.refused(["session", "rename", id, " \n "])).toMatchObject({ code: "invalid_input" });
});

test("S12 archive leaves a session out of lists and --undo brings it back; an active one is refused", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Put away");
  expect(await repo.refused(["session", "archive", id])).toMatchObject({ code: "invalid_input" });
  await repo.clew("session", "end", id);
  await repo.clew("session", "archive", id);
  expect(await repo.clew("session", "list")).not.toContain(id);
  expect(await repo.clew("session", "list", "--archived")).toContain(id);
  expect(existsSync(repo.path(id))).toBe(true);
  await repo.clew("session", "archive", id, "--undo");
  expect(await repo.clew("session", "list")).toContain(id);
});

test("S12 delete leaves no trace of a session, not in .git/clew either", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Gone for good");
  await repo.log(
    id,
    { kind: "text", text: "xylophone" },
    { kind: "tool", name: "t", args: `xylophone ${"x".repeat(17_000)}` },
  );
  const kept = await repo.clew("session", "start", "Kept");
  await repo.log(kept, { kind: "decision_needed", text: "still here" });
  await repo.clew("search", "xylophone");
  await repo.clew("session", "delete", id, "--yes");
  expect((await repo.refused(["session", "show", id])).code).toBe("unknown_session");
  expect(await repo.clew("session", "list")).not.toContain(id);
  expect(await repo.json("search", "xylophone")).toEqual({ hits: [] });
  const files = [".clew", ".git/clew"].flatMap((folder) =>
    readdirSync(join(repo.root, folder), { recursive: true, withFileTypes: true }),
  );
  const traces = files.filter(
    (file) =>
      file.name.includes(id) ||
      (file.isFile() && /gone-for-good|xylophone/.test(readFileSync(join(file.parentPath, file.name), "latin1"))),
  );
  expect(traces.map(({ name }) => name)).toEqual([]);
});

test("S12 rename changes the heading of a file with CRLF line ends too", async () => {
  using repo = new Repo();
  repo.place("2026-11-01-dos", { title: "Old" }, "\n# Old\n\n## One\n");
  writeFileSync(repo.path("2026-11-01-dos"), repo.read("2026-11-01-dos").replaceAll("\n", "\r\n"));
  await repo.clew("session", "rename", "2026-11-01-dos", "New");
  expect(repo.read("2026-11-01-dos")).toMatch(/^# New\r?$/m);
});

test("D7 S12 nothing in a new title takes effect in a terminal that shows the file", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Old");
  await repo.clew("session", "rename", id, "a\u001b[2Jb\u202ec");
  expect(repo.read(id)).toContain("\n# a␛[2Jb�c\n");
  expect(repo.read(id)).not.toMatch(/[\u001b\u202e]/);
});
