import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { SessionDocument } from "../../src/contract/session.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const calls = 150;

test(
  "W12 D1 results of an import that was killed while it went on with a session stand once",
  { timeout: 120_000 },
  async () => {
    using repo = new ImportRepo();
    const lines = new ClaudeLines(repo.root, "s-1");
    const same = (id: string, word: string): string[] => [
      lines.call(`m-${id}`, id, "Bash", { command: "ls" }),
      lines.result(id, `all alike ${"alike ".repeat(100)}${word}`),
    ];
    const file = repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("Look"), ...same("c-0", "zero")]);
    const [id] = (await repo.import()).sessions as [string];
    const results = join(repo.root, ".clew/transcripts", id, "results.jsonl");
    const record = join(repo.root, ".clew/sessions", id, "session.md");
    const before = readFileSync(record, "utf8");
    const size = statSync(results).size;
    const more = [...same("c-1", "one"), ...same("c-2", "two")];
    for (let at = 0; at < calls; at++) {
      more.push(
        lines.call(`n-${at}`, `d-${at}`, "Read", { file_path: `f-${at}` }),
        lines.result(`d-${at}`, `${at} ${"word ".repeat(40_000)}`),
      );
    }
    repo.append(file, more.map((line) => `${line}\n`).join(""));

    const child = repo.start(["session", "import"]);
    const closed = new Promise((resolve) => child.once("close", resolve));
    while (statSync(results).size === size && child.exitCode === null) await sleep(2);
    child.kill("SIGKILL");
    await closed;
    // It was killed between the results and the session.
    expect([statSync(results).size > size, readFileSync(record, "utf8") === before]).toEqual([true, true]);

    expect(await repo.import()).toMatchObject({ continued: 1 });
    const { phases } = await repo.json<SessionDocument>("session", "show", id, "--full");
    const entries = phases.flatMap((phase) => phase.entries) as { name?: string; result_full?: string }[];
    const words = entries.filter(({ name }) => name === "Bash").map((each) => each.result_full?.split(" ").at(-1));
    expect(words).toEqual(["zero", "one", "two"]);
    expect(entries.filter(({ name }) => name === "Read").every((each) => each.result_full !== undefined)).toBe(true);
    expect(readFileSync(results, "utf8").trimEnd().split("\n")).toHaveLength(calls + 3);
    expect(existsSync(join(repo.root, ".clew/transcripts", id, "results-before.json"))).toBe(false);
  },
);
