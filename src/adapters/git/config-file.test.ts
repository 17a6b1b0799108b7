import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig, readGitConfigFile, type ConfigValue } from "./config-file.ts";

/** What git reads in a text; undefined when it refuses it. Older versions make a space of every tab. */
function readByGit(text: string): ConfigValue[] | undefined {
  const { status, stdout } = spawnSync("git", ["config", "--file", "-", "-l", "-z"], { input: text });
  if (status !== 0) return undefined;
  const settings = stdout.toString("utf8").split("\0").slice(0, -1);
  return settings.map((setting) => {
    const end = setting.indexOf("\n");
    return end < 0 ? { key: setting, value: undefined } : { key: setting.slice(0, end), value: setting.slice(end + 1) };
  });
}

const withSpaces = (values: ConfigValue[] | undefined): unknown =>
  values?.map(({ key, value }) => ({ key, value: value?.replace(/[\t\r]/g, " ") }));

const pieces = [
  ...'[]"\\#;=. \t\r\n\n\nabnt0-_é',
  "[core]\n",
  '[core "x"]',
  "[Core.Sub]",
  '[filter "e vil"]\n',
  "bare",
  "worktree = ",
  "= a b\n",
  "\\\n",
  "\r\n",
  "# x \\\n",
  "y = a\\\\\n",
  'z = "q # \\" ;" # c \\\n',
  "include",
];

test("S1 a file of git's is read as git reads it, or up to where git refuses it", () => {
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(""));
  const runs = Number(process.env["CLEW_PROPERTY_RUNS"] ?? 150);
  let taken = 0;
  fc.assert(
    fc.property(texts, fc.boolean(), (text, isOpened) => {
      const config = isOpened ? `[core]\n${text}` : text;
      const byGit = readByGit(config);
      if (byGit === undefined) return;
      if (byGit.length > 0) taken++;
      expect(withSpaces(parseConfig(config))).toEqual(withSpaces(byGit));
    }),
    { numRuns: runs },
  );
  expect(taken).toBeGreaterThan(0);
});

test("S1 neither a comment nor an escaped backslash makes a line go on", () => {
  const key = "filter.evil.clean";
  for (const line of ["# x \\", "; x \\", "y = a # \\", "y = a\\\\", 'y = "a" ; \\']) {
    const text = `[a]\n${line}\n[filter "evil"]\n\tclean = x\n`;
    expect(parseConfig(text).at(-1)).toEqual({ key, value: "x" });
    expect(parseConfig(text)).toEqual(readByGit(text));
  }
});

test("S1 a pipe in place of the file is refused, and does not keep anybody waiting", () => {
  const folder = mkdtempSync(join(tmpdir(), "clew-config-"));
  try {
    expect(readGitConfigFile(join(folder, "missing"))).toEqual([]);
    writeFileSync(join(folder, "config"), "[core]\nbare\n");
    expect(readGitConfigFile(join(folder, "config"))).toEqual([{ key: "core.bare", value: undefined }]);
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(() => readGitConfigFile(join(folder, "pipe"))).toThrow("is a pipe, not a file");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
