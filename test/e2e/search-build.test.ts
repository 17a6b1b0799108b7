import { expect, test } from "vitest";
import { addImported, falling, numberOf, searchAll } from "../support/imported-sessions.ts";
import { Repo } from "../support/repo.ts";

test("S12 many sessions at once are found newest first, also with what came before and after them", async () => {
  using repo = new Repo();
  addImported(repo, 0, 3);
  expect((await searchAll(repo, "filler")).map(numberOf)).toEqual(falling(3));
  addImported(repo, 3, 600);
  expect((await searchAll(repo, "filler")).map(numberOf)).toEqual(falling(600));
  expect((await searchAll(repo, "number417")).map(numberOf)).toEqual([417]);
  addImported(repo, 600, 602);
  const shared = await searchAll(repo, "shareword");
  expect(shared.map(numberOf)).toEqual(falling(602).filter((number) => number % 7 === 0));
  await repo.clew("index", "rebuild");
  expect(await searchAll(repo, "shareword")).toEqual(shared);
});
