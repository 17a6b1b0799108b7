import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { editorSaves } from "../files/editor-saves.fixture.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { beadFiles } from "./bead-files.ts";
import { issuesFileAt } from "./issues-file.ts";

const line = (id: string, title: string) =>
  `${JSON.stringify({ id, title, status: "open", priority: 2, issue_type: "task" })}\n`;
const noLocks: Locks = { with: async (_, work) => work(), close: () => undefined };

for (const [kind, save] of Object.entries(editorSaves)) {
  test(`S7 what an editor saves ${kind} while a bead is changed is not written over`, async () => {
    const root = mkdtempSync(join(tmpdir(), "clew-beads-"));
    try {
      for (let operation = 1; ; operation++) {
        const path = join(root, ".beads/issues.jsonl");
        mkdirSync(join(root, ".beads"), { recursive: true });
        writeFileSync(path, line("a-1", "one") + line("a-2", "two"));
        let left = operation;
        const disk = new Proxy(nodeDisk, {
          get: (target, name: keyof Disk) => {
            const does = target[name] as (...args: unknown[]) => unknown;
            return (...args: unknown[]) => {
              if (--left === 0)
                save(path, line("a-1", "one") + line("a-2", "two, as a person has it") + line("a-3", "new"));
              return does(...args);
            };
          },
        });
        const folder = join(root, ".beads");
        const keeper = { folder, displayFile: ".beads/issues.jsonl", isOutside: false };
        const file = issuesFileAt(disk, { keeper, root, commonDir: join(root, ".git") });
        const beads = beadFiles({ disk, folder, file, locks: async () => noLocks });
        await beads.change("a-1", (bead) => ({ ...bead, title: "one, changed" }));
        const text = readFileSync(path, "utf8");
        expect([operation, text]).toEqual([operation, expect.stringContaining("one, changed")]);
        if (left > 0) break;
        expect([operation, text]).toEqual([operation, expect.stringContaining("as a person has it")]);
        expect([operation, text]).toEqual([operation, expect.stringContaining("a-3")]);
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
}

for (const [what, beginning] of [
  ["emptied", ""],
  ["half written", '{"id":"a-1","ti'],
  ["written a line of", line("a-0", "zero")],
] as const) {
  test(`G2 a file that an editor has ${what} by now is not taken for what it saves`, async () => {
    const root = mkdtempSync(join(tmpdir(), "clew-beads-"));
    try {
      const folder = join(root, ".beads");
      const path = join(folder, "issues.jsonl");
      mkdirSync(folder);
      writeFileSync(path, line("a-1", "one"));
      // A file that was made just now is taken for one that was written at once.
      await new Promise((done) => setTimeout(done, 300));
      const whole = `${beginning.endsWith("\n") ? beginning : ""}${line("a-1", "one, as a person has it")}`;
      writeFileSync(join(root, "saved"), whole.slice(beginning.length));
      writeFileSync(join(root, "beginning"), beginning);
      const script = "cat beginning > .beads/issues.jsonl; sleep 0.1; cat saved >> .beads/issues.jsonl";
      const editor = spawn("sh", ["-c", script], { cwd: root });
      const ended = once(editor, "exit");
      while (statSync(path).size !== beginning.length);
      const keeper = { folder, displayFile: ".beads/issues.jsonl", isOutside: false };
      const file = issuesFileAt(nodeDisk, { keeper, root, commonDir: join(root, ".git") });
      const beads = beadFiles({ disk: nodeDisk, folder, file, locks: async () => noLocks });
      await beads.add(() => ({ id: "a-2", title: "two" }));
      await ended;
      expect(beads.all().beads.map(({ title }) => title)).toEqual([
        ...(beginning.endsWith("\n") ? ["zero"] : []),
        "one, as a person has it",
        "two",
      ]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
}
