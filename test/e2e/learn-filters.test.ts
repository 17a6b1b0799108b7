import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CaseList, ExportSummary } from "../../src/contract/api/learn.ts";
import { call, LearnRepo, user } from "../support/learn-repo.ts";

const learn = (repo: LearnRepo, ...args: string[]): Promise<CaseList> =>
  repo.json<CaseList>("session", "learn", ...args);

const phaseOf = (title: string, agent: string): object => ({ kind: "phase", title, agent });
const failing = (command: string, words: string): object[] => [
  call(command, words, true),
  call("src/a.ts", "done", false, "Edit"),
  call(command, "ok"),
];

/** A session of two agents, each with a failure, and one that failed for the machine's sake. */
async function twoAgents(repo: LearnRepo): Promise<string> {
  return repo.session(
    "Two",
    phaseOf("Write", "coder@2"),
    ...failing("go test", "index out of range in merge"),
    phaseOf("Review", "reviewer@1"),
    ...failing("go vet", "the copy of a lock is passed by value"),
    call("jqq", "bash: jqq: command not found", true),
  );
}

test("S15 a filter holds for sessions that are named, too, and what it leaves out is counted", async () => {
  using repo = new LearnRepo();
  const id = await twoAgents(repo);
  for (const filter of [
    ["--since", "2999-01-01"],
    ["--outcome", "failed"],
    ["--agent", "nobody"],
    ["--engine", "claude"],
  ]) {
    const { cases, left_out, counts } = await learn(repo, id, ...filter);
    expect([filter, cases, left_out]).toEqual([
      filter,
      [],
      [{ session: id, line: null, type: null, reason: "filtered", text: "" }],
    ]);
    expect(counts).toMatchObject({ sessions: 1, left_out: { filtered: 1 } });
  }
  const { cases, counts } = await learn(repo, id, "--agent", "reviewer");
  expect(cases.map(({ metadata }) => metadata.agent)).toEqual(["reviewer@1"]);
  expect(counts).toMatchObject({ puzzles: 1, left_out: { filtered: 1, environment: 1 } });
  // What is noise of another agent is none of this one's.
  expect((await learn(repo, "--agent", "coder")).counts.left_out).toEqual({ filtered: 2 });
  expect(await repo.clew("session", "learn", "--agent", "coder")).toMatch(/ 2 {2}of another agent, model/);
  expect(await repo.refused(["session", "learn", id, "--since", "soon"])).toMatchObject({ code: "invalid_input" });
});

test("S15 a model is looked for in each phase, and not only in what the session began with", async () => {
  using repo = new LearnRepo();
  await repo.session("Models", ...failing("go test", "index out of range in merge"), {
    kind: "tokens",
    tokens: 5,
    model: "m-9",
  });
  expect((await learn(repo, "--model", "m-9")).cases).toHaveLength(1);
  expect((await learn(repo, "--model", "m-1")).cases).toHaveLength(0);
});

test("S16 filters hold for every export, and what they cannot mean is refused", async () => {
  using repo = new LearnRepo();
  const id = await twoAgents(repo);
  repo.place(
    "2026-11-01-tagged",
    { title: "Tagged", tags: ["shop"] },
    "\n## Work\n\n> [!error]\n> the cart is empty  \n> Resolution: filled it  \n",
  );
  const written = async (format: string, ...filter: string[]): Promise<number> => {
    const output = `out-${readdirSync(repo.root).length}`;
    const type = format === "jsonl" ? ["--type", "puzzle"] : [];
    const args = ["--export", format, "-o", output, ...type, ...filter];
    return (await repo.json<ExportSummary>("session", "learn", ...args)).written;
  };
  for (const format of ["jsonl", "markdown", "puzzle", "atif"]) {
    const count = async (...filter: string[]): Promise<unknown> => [format, filter, await written(format, ...filter)];
    for (const [most, ...filter] of [
      [1, "--tag", "shop"],
      [0, "--tag", "ops"],
      [1, "--agent", "reviewer"],
      [0, "--agent", "nobody"],
      [0, "--since", "2999-01-01"],
      [0, id, "--since", "2999-01-01"],
      [0, id, "--tag", "shop"],
      [0, "--outcome", "failed"],
      [0, "--model", "m-2"],
      [0, "--engine", "claude"],
    ] as [number, ...string[]][])
      expect(await count(...filter)).toEqual([format, filter, most]);
  }
  const refused = await repo.run(["session", "learn", "--export", "atif", "--type", "puzzle"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("leave --type out");
});

test("S16 --export puzzle has both types of cases, and only puzzles where --type says so", async () => {
  using repo = new LearnRepo();
  await repo.session("Both", ...failing("go test", "index out of range"), user("No, keep the range"), call("x", "y"));
  const typesOf = async (...args: string[]): Promise<string[]> => {
    await repo.clew("session", "learn", "--export", "puzzle", "-o", `${args.length}.json`, ...args);
    const document = JSON.parse(readFileSync(join(repo.root, `${args.length}.json`), "utf8")) as CaseList;
    return document.cases.map(({ type }) => type);
  };
  expect(await typesOf()).toEqual(["puzzle", "correction"]);
  expect(await typesOf("--type", "puzzle")).toEqual(["puzzle"]);
});
