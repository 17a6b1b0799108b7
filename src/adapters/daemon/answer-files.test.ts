import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeDisk } from "../files/node-disk.ts";
import { answerFiles, removeOldAnswers } from "./answer-files.ts";

test("D2 a key counts for a day, and then no more: by what its file says, and by the file's time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clew-answers-"));
  try {
    const dayMs = 24 * 3_600_000;
    let nowMs = Date.now();
    const kept = answerFiles({ disk: nodeDisk, folder, nowMs: () => nowMs });
    const answer = { status: 200, type: "application/json", text: "{}" };
    expect(await kept.begin("a", "print")).toEqual({ kind: "new" });
    await kept.finish("a", "print", answer);
    await kept.begin("b", "print");
    nowMs += dayMs - 1_000;
    expect(await kept.begin("a", "print")).toEqual({ kind: "answered", answer });
    expect(await kept.begin("a", "other")).toEqual({ kind: "other" });
    expect(await kept.begin("b", "print")).toEqual({ kind: "unfinished" });
    nowMs += 2_000;
    expect(await kept.begin("a", "other")).toEqual({ kind: "new" });
    expect(await kept.begin("b", "print")).toEqual({ kind: "new" });

    const [first = "", second = ""] = readdirSync(folder);
    utimesSync(join(folder, first), 0, (Date.now() - dayMs - 60_000) / 1000);
    removeOldAnswers(nodeDisk, folder, Date.now());
    expect(readdirSync(folder)).toEqual([second]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
