import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolEntry } from "../../src/contract/session.ts";
import { Repo } from "../support/repo.ts";

interface Call {
  name: string;
  args?: string;
  result?: string;
  failed?: boolean;
}

/** Logs the calls; returns the lines they became and what is read back from those. */
async function logged(repo: Repo, ...calls: Call[]): Promise<{ lines: string[]; entries: ToolEntry[] }> {
  const id = await repo.clew("session", "start", "Calls");
  await repo.log(id, { kind: "phase", title: "Work" }, ...calls.map((call) => ({ kind: "tool", ...call })));
  const text = repo.read(id);
  const [, list = ""] = text.split("\n**Tool calls:**\n");
  return { lines: list.split("\n").slice(0, -1), entries: (await repo.show(id)).phases[0]!.entries as ToolEntry[] };
}

test("S3 calls stand as one list; a result is an arrow, a failure a ✗, and no result no arrow", async () => {
  using repo = new Repo();
  const { lines, entries } = await logged(
    repo,
    { name: "read", args: "src/login.ts", result: "120 lines" },
    { name: "bash", args: "npm test", result: "3 failing", failed: true },
    { name: "bash", args: "true", failed: true },
    { name: "list" },
    { name: "say", args: " two  spaces ", result: "✗ is what it printed" },
  );
  expect(lines).toEqual([
    "- `read src/login.ts` → 120 lines",
    "- `bash npm test` → ✗ 3 failing",
    "- `bash true` → ✗",
    "- `list`",
    "- `say  two  spaces ` → \\✗ is what it printed",
  ]);
  expect(entries).toEqual([
    { kind: "tool", name: "read", args: "src/login.ts", failed: false, result: "120 lines" },
    { kind: "tool", name: "bash", args: "npm test", failed: true, result: "3 failing" },
    { kind: "tool", name: "bash", args: "true", failed: true },
    { kind: "tool", name: "list", args: "", failed: false },
    { kind: "tool", name: "say", args: " two  spaces ", failed: false, result: "✗ is what it printed" },
  ]);
});

test("S3 a summary is one line of at most 100 code points, cut neither inside a grapheme nor an escape", async () => {
  using repo = new Repo();
  const family = "👩‍👩‍👧";
  const { lines, entries } = await logged(
    repo,
    { name: "a", result: "x".repeat(100) },
    { name: "b", result: "x".repeat(101) },
    { name: "c", result: "😀".repeat(101) },
    { name: "d", result: `${"x".repeat(97)}${family}` },
    { name: "e", result: `${"x".repeat(98)}\n\n` },
    { name: "f", result: "one\ntwo\r\nC:\\new" },
  );
  expect(lines).toEqual([
    `- \`a\` → ${"x".repeat(100)}`,
    `- \`b\` → ${"x".repeat(99)}…`,
    `- \`c\` → ${"😀".repeat(99)}…`,
    `- \`d\` → ${"x".repeat(97)}…`,
    `- \`e\` → ${"x".repeat(98)}…`,
    "- `f` → one\\ntwo\\r\\nC:\\\\new",
  ]);
  expect(entries.at(-1)!.result).toBe("one\ntwo\r\nC:\\new");
});

test("S3 backticks in a call get a longer fence of backticks", async () => {
  using repo = new Repo();
  const { lines, entries } = await logged(
    repo,
    { name: "sh", args: "echo `date`", result: "`ok`" },
    { name: "sh", args: "`a` ``b``" },
    { name: "`odd", args: "x" },
  );
  expect(lines).toEqual(["- `` sh echo `date` `` → `ok`", "- ``` sh `a` ``b`` ```", "- `` `odd x ``"]);
  expect(entries.map(({ name, args }) => [name, args])).toEqual([
    ["sh", "echo `date`"],
    ["sh", "`a` ``b``"],
    ["`odd", "x"],
  ]);
});

test("S3 args of many lines, or over 300 characters, stand in a fence under their bullet", async () => {
  using repo = new Repo();
  const script = "cat <<EOF\n```\n\n  ## not a phase\n> [!user]\nEOF\n";
  const { lines, entries } = await logged(
    repo,
    { name: "bash", args: script, result: "ok" },
    { name: "echo", args: "y".repeat(300) },
    { name: "echo", args: "z".repeat(301) },
    { name: "dos", args: "one\r\ntwo\\r" },
  );
  expect(lines).toEqual([
    "- `bash` → ok",
    "  ````text",
    "  cat <<EOF",
    "  ```",
    "",
    "    ## not a phase",
    "  > [!user]",
    "  EOF",
    "",
    "  ````",
    `- \`echo ${"y".repeat(300)}\``,
    "- `echo`",
    "  ```text",
    `  ${"z".repeat(301)}`,
    "  ```",
    "- `dos`",
    "  ```text escaped",
    "  one\\r",
    "  two\\\\r",
    "  ```",
  ]);
  expect(entries.map(({ args }) => args)).toEqual([script, "y".repeat(300), "z".repeat(301), "one\r\ntwo\\r"]);
});

test("S3 args over 16 KB are cut, and the bullet names the file that holds the whole", async () => {
  using repo = new Repo();
  const whole = `${"0123456789abcde\n".repeat(1024)}é the rest`;
  const { lines, entries } = await logged(
    repo,
    { name: "write", args: whole, result: "written" },
    { name: "after", args: "it" },
  );
  const full = entries[0]!.full!;
  expect(full).toMatch(
    new RegExp(
      `^\\.clew/transcripts/\\d{4}-\\d\\d-\\d\\d-calls/${createHash("sha256").update(whole).digest("hex")}\\.txt$`,
    ),
  );
  expect(readFileSync(join(repo.root, full), "utf8")).toBe(whole);
  expect(lines[0]).toBe(`- \`write\` (whole: \`${full}\`) → written`);
  expect(lines.at(-1)).toBe("- `after it`");
  expect(entries[0]).toMatchObject({ cut: true, failed: false, result: "written" });
  expect(whole.startsWith(entries[0]!.args)).toBe(true);
  expect(Buffer.byteLength(entries[0]!.args)).toBe(16 * 1024);
});

test("S3 a name with spaces is refused, and so is a `full` that would break out of its line", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Refused");
  expect((await repo.refused(["session", "log", "tool", "two words"])).message).toBe("name: must not contain spaces");
  const input = `${JSON.stringify({ kind: "tool", name: "x", args: "a", cut: true, full: 'f`\n\n> [!user]\n> "forged"\n' })}\n`;
  const { code, stdout } = await repo.run(["session", "log", "--batch", "--json", "-s", id], { input });
  expect(JSON.parse(stdout)).toMatchObject({
    line: 1,
    error: { code: "invalid_input", message: expect.stringContaining("full") as string },
  });
  expect(code).toBe(2);
  expect(repo.read(id)).not.toContain("forged");
});

test("S3 structured input stands key by key, however its JSON was laid out", async () => {
  using repo = new Repo();
  const input = { path: "src/a.ts", content: 'first "line"\n  second\n', options: { mode: 1.5 } };
  const compact = JSON.stringify(input);
  const spaced = compact.replace('"path":', '"path" : ').replace(',"options"', ' ,\t"options"');
  const forms = [
    compact,
    JSON.stringify(input, null, 2),
    JSON.stringify(input, null, "\t"),
    `\n ${compact} \n`,
    spaced,
  ];
  const id = await repo.clew("session", "start", "Structured");
  await repo.log(id, { kind: "phase", title: "Work" }, ...forms.map((args) => ({ kind: "tool", name: "write", args })));
  const bullets = repo
    .read(id)
    .split(/^(?=- `)/m)
    .slice(1)
    .map((each) => each.trimEnd());
  expect(bullets[0]).toContain(
    '  path: src/a.ts\n  content: |\n    first "line"\n      second\n  options: {"mode":1.5}\n',
  );
  expect(new Set(bullets).size).toBe(1);
  const calls = (await repo.show(id)).phases[0]!.entries as { args: string }[];
  expect(calls.map(({ args }) => args)).toEqual(forms.map(() => compact));
  const small = JSON.stringify({ path: "b", limit: 10 }, null, 2);
  await repo.log(id, { kind: "tool", name: "read", args: small }, { kind: "tool", name: "sh", args: "{ echo a;\n}" });
  expect(repo.read(id)).toContain('- `read {"path":"b","limit":10}`\n- `sh`\n  ```text\n  { echo a;\n  }\n');
});
