import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

test.each(["", "--engine=scripted"])("S1 clew demo --json %s prints one document and nothing else", async (option) => {
  using repo = new Repo();
  const { code, stdout } = await repo.run(["demo", "--json", ...(option === "" ? [] : [option])]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    session_id: expect.stringContaining("fix-the-login") as string,
    bead_id: expect.stringMatching(/^demo-/) as string,
    root: null,
  });
});
