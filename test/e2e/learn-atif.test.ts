import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExportSummary } from "../../src/contract/api/learn.ts";
import { trajectory } from "../support/export-schemas.ts";
import { LearnRepo, said } from "../support/learn-repo.ts";

type Trajectory = ReturnType<typeof trajectory.parse>;

/** A chain of sessions, each of which names the next as its subagent's, down to `depth`. */
function placeChain(repo: LearnRepo, depth: number): string[] {
  const ids = Array.from({ length: depth + 1 }, (_, at) => `2026-11-01-level-${at}`);
  ids.forEach((id, at) => {
    const next = ids[at + 1];
    const told = next === undefined ? "" : `\n> [!subagent] @helper@1\n> mode: link  \n> [[${next}]]  \n`;
    const parent = ids[at - 1];
    repo.place(
      id,
      { title: id, ...(parent !== undefined && { parent }) },
      `\n## Work\n\n> [!agent]\n> I am ${at}  \n${told}`,
    );
  });
  return ids;
}

const namesIn = ({ trajectory_id, subagent_trajectories = [] }: Trajectory): string[] => [
  trajectory_id!,
  ...subagent_trajectories.flatMap(namesIn),
];

test("S16 atif: subagents are embedded however deep they stand", async () => {
  using repo = new LearnRepo();
  const ids = placeChain(repo, 6);
  const { written } = await repo.json<ExportSummary>("session", "learn", "--export", "atif", "-o", "runs");
  expect(written).toBe(1);
  expect(readdirSync(join(repo.root, "runs"))).toEqual([`${ids[0]}.json`]);
  const found = trajectory.parse(JSON.parse(readFileSync(join(repo.root, "runs", `${ids[0]}.json`), "utf8")));
  expect(namesIn(found)).toEqual(ids);
});

test("S16 atif: a subagent's session that no other names has a trajectory of its own", async () => {
  using repo = new LearnRepo();
  const body = (text: string): string => `\n## Work\n\n> [!agent]\n> ${text}  \n`;
  repo.place("2026-11-01-agent", { title: "Agent" }, body("I began."));
  repo.place("2026-11-01-helper", { title: "Helper", parent: "2026-11-01-agent" }, body("I helped."));
  const lines = (await repo.clew("session", "learn", "--export", "atif")).split("\n");
  expect(lines.map((line) => trajectory.parse(JSON.parse(line)).trajectory_id)).toEqual([
    "2026-11-01-agent",
    "2026-11-01-helper",
  ]);
});

test("S16 atif: a file .json holds one session, and nothing is written where there is none", async () => {
  using repo = new LearnRepo();
  const [one, two] = [await repo.session("One", said("one")), await repo.session("Two", said("two"))];
  const refused = await repo.run(["session", "learn", "--export", "atif", "-o", "one.json"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/one trajectory, and 2 sessions.*\n.*-o FILE\.jsonl or -o FOLDER/);
  await repo.clew("session", "learn", one, "--export", "atif", "-o", "one.json");
  trajectory.parse(JSON.parse(readFileSync(join(repo.root, "one.json"), "utf8")));
  const none = ["session", "learn", two, "--export", "atif", "--tag", "ops", "--json", "-o"];
  for (const output of ["none.json", "none"]) {
    const summary = JSON.parse(await repo.clew(...none, output)) as ExportSummary;
    expect(summary).toMatchObject({ written: 0, files: [] });
    expect(existsSync(join(repo.root, output))).toBe(false);
  }
  expect(readdirSync(repo.root).filter((name) => name.endsWith(".part"))).toEqual([]);
});
