import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { addImported, falling, numberOf, searchAll } from "../support/imported-sessions.ts";
import { Repo } from "../support/repo.ts";

test(
  "S12 a build that is killed goes on where it was, and two searches at once both have all",
  { timeout: 300_000 },
  async () => {
    using repo = new Repo();
    addImported(repo, 0, 6000);
    await repo.clew("session", "list");
    const isBegun = (): boolean => {
      try {
        return readdirSync(join(repo.home, "search")).some((name) => name.endsWith("-wal"));
      } catch {
        return false;
      }
    };
    for (const delayMs of [0, 200, 500, 1000]) {
      const build = repo.start(["search", "filler"]);
      while (!isBegun()) await pause(10);
      await pause(delayMs);
      build.kill("SIGKILL");
    }
    const [one, other] = await Promise.all([searchAll(repo, "shareword"), searchAll(repo, "shareword")]);
    expect(one.map(numberOf)).toEqual(falling(6000).filter((number) => number % 7 === 0));
    expect(other).toEqual(one);
  },
);
