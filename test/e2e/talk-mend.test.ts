import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../support/runs.ts";
import { WorkRepo } from "../support/work-repo.ts";

/** A talk that was killed while its agent slept; its transcript has a line that nobody wrote into the session. */
async function killedTalk() {
  const repo = await WorkRepo.with({
    say: "I look",
    run: "touch asleep; sleep 60",
    usage: { input: 10, output: 3 },
  });
  const child = repo.start(["ai", "scripted", "Look at the roof", "--one-shot"]);
  const ended = new Promise((done) => child.on("close", done));
  const folder = join(repo.home, "transcripts");
  const find = (): string | undefined =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: "utf8" }).find((each) => each.endsWith("-chat.jsonl"))
      : undefined;
  const has = (name: string | undefined): boolean =>
    name !== undefined && readFileSync(join(folder, name), "utf8").includes("I look");
  await until(() => existsSync(join(repo.root, "asleep")) && has(find()));
  child.kill("SIGKILL");
  await ended;
  const name = find();
  const message = { role: "assistant", content: [{ type: "text", text: "Nobody wrote this down." }] };
  appendFileSync(join(folder, name!), `${JSON.stringify({ type: "assistant", message })}\n`);
  return { repo, id: name!.split("/")[0]! };
}

const texts = async (repo: WorkRepo, id: string): Promise<string[]> => {
  const { phases } = await repo.show(id);
  return phases.flatMap(({ entries }) => entries.flatMap((each) => (each.kind === "text" ? [each.text] : [])));
};

test.each(["its state", "its state deleted"])(
  "W10 W6 a killed talk is mended from its transcript by the next look, once, and goes on: with %s",
  async (state) => {
    const { id, ...killed } = await killedTalk();
    using repo = killed.repo;
    if (state === "its state deleted") rmSync(join(repo.home, "state"), { recursive: true });
    expect((await repo.sessions()).map(({ session_id, status }) => [session_id, status])).toEqual([[id, "paused"]]);
    const { phases } = await repo.show(id);
    expect(phases.map(({ title }) => title)).toEqual(["Look at the roof"]);
    expect(phases[0]!.entries.slice(0, 2)).toMatchObject([
      { kind: "user", text: "Look at the roof" },
      { kind: "text", text: "I look" },
    ]);
    expect(await texts(repo, id)).toEqual(["I look", "Nobody wrote this down."]);
    repo.plays({ say: "Awake" });
    expect((await repo.run(["ai", "scripted", "And now?", "--resume", id, "--one-shot"])).code).toBe(0);
    expect(await texts(repo, id)).toEqual(["I look", "Nobody wrote this down.", "Awake"]);
  },
);

test("W10 a killed talk that goes on at once is mended first", async () => {
  const { id, ...killed } = await killedTalk();
  using repo = killed.repo;
  repo.plays({ say: "Awake" });
  const { code, stderr } = await repo.run(["ai", "scripted", "And now?", "--resume", id, "--one-shot"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("completed")]);
  expect(await texts(repo, id)).toEqual(["I look", "Nobody wrote this down.", "Awake"]);
});

test("W10 a talk that was killed before its record had the engine's session goes on at once all the same", async () => {
  const { id, ...killed } = await killedTalk();
  using repo = killed.repo;
  // As it was at that instant: the copy and the file end with what the person said.
  const copy = join(repo.home, "live", `${id}.jsonl`);
  const lines = readFileSync(copy, "utf8").split("\n");
  writeFileSync(
    copy,
    `${lines
      .slice(
        0,
        lines.findIndex((line) => line.includes("engine_sessions")),
      )
      .join("\n")}\n`,
  );
  rmSync(join(repo.home, "live", `${id}.state`));
  const text = repo.read(id).replace(/^engine_sessions:\n(?: {2}.*\n)*/m, "");
  writeFileSync(repo.path(id), text.slice(0, text.indexOf("\n> [!agent]")));
  repo.plays({ say: "Awake" });
  const { code, stderr } = await repo.run(["ai", "scripted", "And now?", "--resume", id, "--one-shot"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("completed")]);
  expect(await texts(repo, id)).toEqual(["I look", "Nobody wrote this down.", "Awake"]);
});
