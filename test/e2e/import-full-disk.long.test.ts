import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const count = 40;

test.runIf(canMount())(
  "W12 a full disk ends an import with whole sessions alone, and a later one brings the rest, once",
  { timeout: 240_000 },
  async () => {
    using disk = new SmallDisk("24m");
    using repo = new ImportRepo(disk.path);
    await repo.clew("init");
    for (let at = 0; at < count; at++) {
      const lines = new ClaudeLines(repo.root, `s-${at}`);
      repo.leave(repo.claudePath(`s-${at}.jsonl`), [
        lines.user(`Task ${at}`),
        lines.call(`m-${at}`, `c-${at}`, "Read", { file_path: "a.txt" }),
        lines.result(`c-${at}`, `${at} ${"word ".repeat(20_000)}`),
        lines.agent(`n-${at}`, { type: "text", text: "said ".repeat(10_000) }),
      ]);
    }
    const whole = async (): Promise<number> => {
      await repo.clew("index", "rebuild");
      const { sessions, unreadable } = await repo.json<{ sessions: { tokens_used: number }[]; unreadable: unknown[] }>(
        "session",
        "list",
        "--limit",
        "1000",
      );
      expect(unreadable).toEqual([]);
      expect(sessions.every(({ tokens_used }) => tokens_used === 220)).toBe(true);
      return sessions.length;
    };
    let before = 0;
    for (const room of [200_000, 900_000, 2_000_000]) {
      disk.fill(room);
      const { code, stderr } = await repo.run(["session", "import"]);
      expect([room, code !== 0, stderr]).toEqual([room, true, expect.stringMatching(/disk is full|no room|space/i)]);
      disk.free();
      const now = await whole();
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThan(count);
      before = now;
    }
    const { skipped } = await repo.import();
    expect([await whole(), skipped]).toEqual([count, []]);
    const folders = readdirSync(join(repo.root, ".clew/sessions")).filter((name) => !name.startsWith("."));
    expect(folders).toHaveLength(count);
    expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: count });
  },
);
