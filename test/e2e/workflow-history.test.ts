import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";

const workflow = "---\ntype: workflow\n---\n# Says hi\n\n## Say @sh\n\n```sh\necho hi\n```\n";

class HistoryRepo extends RunRepo {
  constructor() {
    super("- {name: unused, type: script, command: 'true'}");
    write(this, "say.md", workflow);
  }

  get text(): string {
    return readFileSync(join(this.root, "say.md"), "utf8");
  }

  /** The ids of that many runs of the workflow. */
  async ran(count: number): Promise<string[]> {
    for (let at = 0; at < count; at++) {
      if (at > 0) await this.clew("bead", "update", "proj-1", "--status", "open");
      await this.clew("run", "proj-1", "--grimoire", "say.md");
    }
    const { runs } = await this.json<{ runs: { id: string }[] }>("run", "list");
    return runs.map(({ id }) => id);
  }
}

test("S13 history: writers at once lose no execution, and the file keeps its mode", async () => {
  using repo = new HistoryRepo();
  chmodSync(join(repo.root, "say.md"), 0o640);
  const ids = await repo.ran(4);
  expect(ids).toHaveLength(4);
  await Promise.all(ids.map((id) => repo.clew("grimoire", "history", "say.md", id)));
  expect(repo.text.startsWith(workflow)).toBe(true);
  const told = [...repo.text.matchAll(/^run: (.*)$/gm)].map(([, id]) => id!);
  expect(told.toSorted()).toEqual(ids.toSorted());
  expect(statSync(join(repo.root, "say.md")).mode & 0o777).toBe(0o640);
});

test("S13 history that is killed leaves the old file or the new one, and the next one works", async () => {
  using repo = new HistoryRepo();
  const [id] = await repo.ran(1);
  await repo.clew("grimoire", "history", "say.md", id!);
  const after = repo.text;
  for (let at = 0; at < 12; at++) {
    write(repo, "say.md", workflow);
    const child = repo.start(["grimoire", "history", "say.md", id!]);
    const ended = once(child, "exit");
    const killer = setTimeout(() => child.kill("SIGKILL"), 60 + at * 25);
    await ended;
    clearTimeout(killer);
    expect([workflow, after]).toContain(repo.text);
  }
  await repo.clew("grimoire", "history", "say.md", id!);
  expect(repo.text).toBe(after);
  expect(readdirSync(repo.root).filter((name) => name.includes("say.md"))).toEqual(["say.md"]);
});

test("S13 history counts bytes, as all readers of the file do: what it wrote can be read", async () => {
  using repo = new HistoryRepo();
  const [id] = await repo.ran(1);
  const text = workflow + "é".repeat((1024 * 1024 - Buffer.byteLength(workflow) - 10) / 2);
  write(repo, "say.md", text);
  expect((await repo.refused(["grimoire", "history", "say.md", id!])).message).toBe(
    "say.md would become larger than 1 MiB",
  );
  expect(repo.text).toBe(text);
});

test("S13 history says what is wrong with its file, before it looks for the runs", async () => {
  using repo = new HistoryRepo();
  mkdirSync(join(repo.root, "folder.md"));
  execFileSync("mkfifo", [join(repo.root, "pipe.md")]);
  symlinkSync("nowhere.md", join(repo.root, "dangling.md"));
  writeFileSync(join(repo.root, "big.md"), workflow + "a".repeat(20_000_000));
  writeFileSync(join(repo.root, "bytes.md"), Buffer.from([0x23, 0xff, 0xfe]));
  const said = async (file: string): Promise<string> =>
    (await repo.refused(["grimoire", "history", file, "latest"])).message.replace(repo.root, "ROOT");
  expect(await said("nosuch.md")).toBe("there is no file nosuch.md");
  expect(await said("dangling.md")).toBe("there is no file dangling.md");
  expect(await said("folder.md")).toBe("ROOT/folder.md is a folder, not a file");
  expect(await said("pipe.md")).toBe("ROOT/pipe.md is a pipe, not a file");
  expect(await said("big.md")).toBe("ROOT/big.md is longer than 1 MiB");
  expect(await said("bytes.md")).toBe("bytes.md is not UTF-8 text");
  expect(await said(".clew/grimoires/flow.yaml")).toBe(".clew/grimoires/flow.yaml is no workflow in markup (.md)");
  expect(await said("say.md")).toBe("there are no runs yet");
});

const failing = workflow.replace("echo hi", "test -e ../../again");

test.each([
  ["failed", failing.replace("Say @sh", "Say @sh !")],
  ["blocked", failing],
])("S13 history tells of a run that is %s as such, and of what became of it", async (status, text) => {
  using repo = new HistoryRepo();
  write(repo, "say.md", text);
  await repo.run(["run", "proj-1", "--grimoire", "say.md"]);
  await repo.clew("grimoire", "history", "say.md", "latest");
  expect(repo.text).toContain(`\nstatus: ${status}\n`);
  expect(repo.text).toMatch(/\n {2}Say,1,failed,\d+,/);
  write(repo, "again", "");
  expect((await repo.run(["run", "retry", "proj-1"])).code).toBe(0);
  await repo.clew("grimoire", "history", "say.md", "latest");
  expect(await repo.clew("grimoire", "history", "say.md", "latest")).toContain("stood there already");
  expect([...repo.text.matchAll(/^status: (.*)$/gm)].map(([, each]) => each)).toEqual([status, "completed"]);
});

test("S13 history goes by the nodes of a run: a file may be renamed, and its name alone is not enough", async () => {
  using repo = new HistoryRepo();
  const [id] = await repo.ran(1);
  write(repo, "renamed.md", workflow);
  expect(await repo.clew("grimoire", "history", "renamed.md", id!)).toContain(`Appended ${id}`);
  write(repo, "same.md", workflow.replace("type: workflow", "type: workflow\nname: say").replace("## Say", "## Shout"));
  expect((await repo.refused(["grimoire", "history", "same.md", id!])).message).toBe(
    `run ${id} had nodes that same.md has not: Say`,
  );
  write(repo, "say.md", `${workflow}\n## More @sh\n\n\`\`\`sh\ntrue\n\`\`\`\n`);
  expect(await repo.clew("grimoire", "history", "say.md", id!)).toContain(`Appended ${id}`);
});
