import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCoreSettings, type CoreSettings } from "./core-settings.ts";

function read(config: string, ofMainCheckout?: string): CoreSettings {
  const folder = mkdtempSync(join(tmpdir(), "clew-core-"));
  try {
    writeFileSync(join(folder, "config"), config);
    if (ofMainCheckout !== undefined) writeFileSync(join(folder, "config.worktree"), ofMainCheckout);
    return readCoreSettings(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("S1 only the section core counts, in any case, and the last value of a name", () => {
  const config = '[alias]\n\tworktree = worktree list\n[Core "x"]\n bare = true\n[CORE] Bare = yes\n\tbare = false\n';
  expect(read(config)).toEqual({ isBare: false, worktree: undefined });
  expect(read("[core]\n\tbare\n")).toEqual({ isBare: true, worktree: undefined });
});

test("S1 quotes, escapes, comments and continued lines are read as git reads them", () => {
  const config = '[core]\n# worktree = /no\n\tworktree = "/a b; #c\\\\\\"d" ; a comment\n';
  expect(read(config).worktree).toBe('/a b; #c\\"d');
  expect(read("[core]\n\tworktree = ../../\\\n..\n").worktree).toBe("../../..");
});

test("S1 the main checkout's own file goes first", () => {
  const common = "[core]\n\tbare = true\n\tworktree = /a\n";
  const extended = `${common}[extensions]\n\tworktreeConfig = true\n`;
  expect(read(extended, "[core]\n\tbare = false\n")).toEqual({ isBare: false, worktree: "/a" });
  // Without the extension git does not look at it.
  expect(read(common, "[core]\n\tbare = false\n")).toEqual({ isBare: true, worktree: "/a" });
});

test("S1 yes and no are read as git reads them", () => {
  for (const yes of ["= true", "= YES", "= on", "= 1", "= -3", "= 0x10", ""]) {
    expect([yes, read(`[core]\n\tbare ${yes}\n`).isBare]).toEqual([yes, true]);
  }
  for (const no of ["= false", "= No", "= off", "= 0", "= 00", "= +0x0", "="]) {
    expect([no, read(`[core]\n\tbare ${no}\n`).isBare]).toEqual([no, false]);
  }
});
