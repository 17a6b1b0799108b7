import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { outcomeOf } from "../support/repo.ts";
import { linesOf } from "../support/run-repo.ts";
import { showRun, until } from "../support/runs.ts";

describe("G12 a crash while landing", () => {
  const files = 6000;

  test(
    `G12 killed in the middle of ${files} files, the next one mends the checkout and lands`,
    { timeout: 300_000 },
    async () => {
      using repo = new MergeRepo(`
      mkdir many; i=0
      while [ $i -lt ${files} ]; do i=$((i+1)); echo $i > many/$i.txt; done
      echo four >> shared.txt`);
      expect((await repo.clewRun("start")).code).toBe(4);
      repo.put("kept.txt", "kept\\nmine\n");
      repo.put("untracked.txt", "untracked\n");
      const many = join(repo.root, "many");
      const written = (): number => (existsSync(many) ? readdirSync(many).length : 0);
      const halves: number[] = [];
      for (let kill = 0; kill < 3; kill++) {
        const child = repo.start(["run", kill === 0 ? "approve" : "resume", "proj-1"]);
        const ended = outcomeOf(child);
        let isOver = false;
        void ended.then(() => (isOver = true));
        const atLeast = 1000 * (kill + 1);
        await until(() => isOver || written() > atLeast);
        if (isOver) break;
        for (const pid of treeOf(child.pid!)) endNow(pid);
        await ended;
        halves.push(written());
        expect(repo.commits()[0]).toBe("files");
      }
      expect(halves.some((half) => half > 0 && half < files)).toBe(true);
      expect((await showRun(repo)).status).toBe("interrupted");
      expect((await repo.clewRun("resume")).code).toBe(0);
      expect(written()).toBe(files);
      expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe(" M kept.txt\n?? untracked.txt\n");
      expect(repo.text("kept.txt")).toBe("kept\\nmine\n");
      expect(await repo.beadStatus()).toBe("closed");
      const { journal } = await showRun(repo);
      expect(linesOf(readFileSync(journal, "utf8")).filter(({ type }) => type === "merge.landing")).not.toEqual([]);
      expect(repo.commits().filter((subject) => subject.startsWith("Merge proj-1"))).toHaveLength(1);
    },
  );
});
