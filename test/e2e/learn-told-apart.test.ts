import { expect, test } from "vitest";
import type { CaseList } from "../../src/contract/api/learn.ts";
import { call, LearnRepo } from "../support/learn-repo.ts";

const learn = (repo: LearnRepo, ...args: string[]): Promise<CaseList> =>
  repo.json<CaseList>("session", "learn", ...args);

/** A session whose whole outputs are not there any more: session.md alone. */
function placed(repo: LearnRepo, name: string, frontmatter: object, ...lines: string[]): void {
  const bullets = lines.map((line) => `- ${line}`).join("\n");
  repo.place(`2026-11-01-${name}`, { title: name, ...frontmatter }, `\n## Work\n\n**Tool calls:**\n${bullets}\n`);
}

test("S15 of failures whose output is known only as far as its summary, other tests are other cases", async () => {
  using repo = new LearnRepo();
  for (const [at, file] of ["math", "login", "cart", "math"].entries()) {
    const summary = `> app@1.0.0 test\\n> vitest run\\n\\n ❯ src/${file}.test.js (3 tests | 1 failed) AssertionError: expe…`;
    placed(repo, `of-${file}-${at}`, {}, `\`Bash npm test\` → ✗ ${summary}`);
  }
  const { cases, left_out } = await learn(repo);
  expect([cases.length, left_out.map(({ reason }) => reason)]).toEqual([3, ["duplicate"]]);
});

test("S15 a summary that names nothing is no other's duplicate", async () => {
  using repo = new LearnRepo();
  const summary = "> app@1.0.0 test\\n> node --test --experimental-strip-types --test-reporter spec, and what came th…";
  for (const name of ["a", "b"]) placed(repo, name, {}, `\`Bash npm test\` → ✗ ${summary}`);
  expect((await learn(repo)).cases).toHaveLength(2);
});

test("S15 outputs that are alike but for the test that failed are two cases", async () => {
  using repo = new LearnRepo();
  const output = (name: string, status: number): string =>
    [
      "============================= test session starts ==============================",
      "platform linux -- Python 3.12.3, pytest-8.2.0, pluggy-1.5.0",
      "rootdir: /home/me/app",
      "collected 14 items",
      "tests/test_api.py ......F.......                                         [100%]",
      "=================================== FAILURES ===================================",
      `________________________________ ${name} ________________________________`,
      "client = <starlette.testclient.TestClient object at 0x7f8a2c3d4e50>",
      `    def ${name}(client):`,
      "        response = client.request(url, json=payload)",
      ">       assert response.status_code == 200",
      `E       assert ${status} == 200`,
      "=========================== short test summary info ============================",
      `FAILED tests/test_api.py::${name} - assert ${status} == 200`,
      "========================= 1 failed, 13 passed in 0.82s =========================",
    ].join("\n");
  const failing = (name: string, status: number): object[] => [
    call("pytest -q", output(name, status), true),
    call("src/api.py", "done", false, "Edit"),
    call("pytest -q", "14 passed"),
  ];
  await repo.session("Log in", ...failing("test_login", 401));
  await repo.session("Delete", ...failing("test_delete_user", 500));
  await repo.session("Log in again", ...failing("test_login", 403));
  const { cases, left_out } = await learn(repo);
  expect(cases.map(({ metadata }) => metadata.title)).toEqual(["Log in", "Delete"]);
  expect(left_out).toMatchObject([{ reason: "duplicate", of: cases[0]!.id }]);
});

test("S15 noise is looked for in the whole output", async () => {
  using repo = new LearnRepo();
  const output = `${"npm warn deprecated a-package@1.2.3: it is no longer supported\n".repeat(5)}npm error connect ECONNREFUSED 10.0.0.1:443`;
  const id = await repo.session("Install", call("npm ci", output, true), call("npm ci --offline", "ok"));
  const { cases, left_out } = await learn(repo, id);
  expect(cases).toEqual([]);
  expect(left_out).toMatchObject([{ reason: "environment" }]);
});

test.each([
  { status: "failed" },
  { status: "abandoned" },
  { status: "paused" },
  { status: "completed", kind: "import" },
])("S15 a call that never ended is no run that passed: %o", async (frontmatter) => {
  using repo = new LearnRepo();
  const lines = ["`Bash npm test` → ✗ the cart is empty", "`Edit src/cart.ts` → done", "`Bash npm test`"];
  placed(repo, "cut-off", frontmatter, ...lines);
  const { cases } = await learn(repo);
  expect(cases.map(({ basis }) => basis)).toEqual([null]);
});

test("S15 a command that printed nothing passed, where its session came to its end or went on", async () => {
  using repo = new LearnRepo();
  const lines = ["`Bash tsc` → ✗ a.ts(1,1): error TS2304", "`Edit a.ts` → done", "`Bash tsc`"];
  placed(repo, "ended", { status: "completed", ended: "2026-11-01T12:00:00Z" }, ...lines);
  placed(
    repo,
    "went-on",
    { status: "failed" },
    ...lines.map((line) => line.replaceAll("a.ts", "b.ts")),
    "`Read c.ts` → x",
  );
  const { cases } = await learn(repo);
  expect(cases.map(({ basis }) => basis)).toEqual(["passing_run", "passing_run"]);
});

test("S15 a secret that is cut is redacted before", async () => {
  using repo = new LearnRepo();
  const secret = `ghp_${"a1B2c3D4".repeat(4)}abcd`;
  const words = `${"please take this one for the log-in at the other server, and go on there: ".padEnd(100, ".")} ${secret}`;
  repo.place(
    "2026-11-01-secret",
    { title: "Secret" },
    `\n## Work\n\n> [!agent]\n> Done.\n\n## Next\n\n> [!user]\n> "${words}"\n`,
  );
  const text = await repo.clew("session", "learn", "--json");
  expect(text).toContain("new_task");
  expect(text).not.toContain("ghp_");
});

test("S15 many messages in a row take no longer for each of them", async () => {
  using repo = new LearnRepo();
  const words = (count: number): string => `\n> [!user]\n> "Thanks"\n`.repeat(count);
  for (const count of [100, 4000])
    repo.place(`2026-11-01-${count}`, { title: "x" }, `\n## Work\n\n> [!agent]\n> Done.\n${words(count)}`);
  const timeOf = async (count: number): Promise<number> => {
    const before = performance.now();
    const { left_out } = await learn(repo, `2026-11-01-${count}`);
    expect(left_out).toHaveLength(count);
    return performance.now() - before;
  };
  await timeOf(100);
  // Cubic time took more than a minute.
  expect((await timeOf(4000)) - (await timeOf(100))).toBeLessThan(5000);
});
