import { expect, test } from "vitest";
import type { CaseList } from "../../src/contract/api/learn.ts";
import { call, LearnRepo } from "../support/learn-repo.ts";

async function casesOf(...outputs: string[]): Promise<CaseList> {
  using repo = new LearnRepo();
  for (const [at, output] of outputs.entries())
    await repo.session(
      `Session ${at}`,
      call("npm run check", output, true),
      call("src/a.ts", "x", false, "Edit"),
      call("npm run check", "ok"),
    );
  return await repo.json<CaseList>("session", "learn");
}

test("S15 the same failure in another order, with other numbers, paths, times and addresses, is one case", async () => {
  const { cases, left_out } = await casesOf(
    "2 tests failed: parser drops comments, printer adds blank lines (src/parse.ts:14) at 10:33:01 after 1,204 ms, object 0x7ffe12",
    "12 tests failed: printer adds blank lines, parser drops comments (lib/deep/parse.ts:9) at 23:01:59 after 87 ms, object 0x55aa01",
  );
  expect(cases).toHaveLength(1);
  expect(left_out).toMatchObject([{ reason: "duplicate", of: cases[0]!.id }]);
});

test("S15 failures of the same form that tell of something else are two cases", async () => {
  const { cases } = await casesOf(
    "1 test failed: the parser drops comments (src/parse.ts:14)",
    "1 test failed: the printer keeps comments (src/parse.ts:14)",
  );
  expect(cases).toHaveLength(2);
});
