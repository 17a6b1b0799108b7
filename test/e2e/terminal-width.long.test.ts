import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { widthOf } from "../../src/cli/terminal/width.ts";
import { Repo } from "../support/repo.ts";
import { runFlow, script, writeFlow } from "../support/runs.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

const title = "Make the login page tell people why they were logged out, in all languages that there are";
const wide = "日本語のタイトル: ログインページに理由を表示する 🎉 そして翻訳する";

/** What a terminal would break, but for names that are longer than a line by themselves. */
function tooWide(lines: string[], columns: number): string[] {
  return lines.filter(
    (line) => widthOf(line) > columns && line.split(/\s+/).every((word) => widthOf(word) < columns - 12),
  );
}

let repo: Repo;
let session: string;

beforeAll(async () => {
  repo = new Repo();
  writeFlow(repo, script("one", "exit 3"));
  await repo.clew("bead", "create", title, "-p", "0", "-l", "login", "-l", "translations");
  await repo.clew("bead", "create", wide);
  session = await repo.clew("session", "start", title, "--agent", "coder@2.1");
  await repo.log(
    session,
    { kind: "phase", title: "Research" },
    { kind: "decision_needed", text: `${title}? ${title}` },
    { kind: "text", text: `The **bold** and *soft* \`code_words\` of src/*.ts, [here](https://example.com). ${title}` },
    {
      kind: "text",
      text: `# Found\n\n- an item. ${title}\n- [x] done\n\n> [!note] Mind\n\n\`\`\`ts\nlet x = 1;\n\`\`\``,
    },
    { kind: "decision", text: `Use **seconds**. ${title}` },
  );
  await runFlow(repo);
}, 60_000);

afterAll(() => repo[Symbol.dispose]());

const lists = [
  [],
  ["session", "list"],
  ["run", "list"],
  ["worktree", "list"],
  ["bead", "list", "--all"],
  ["bead", "ready"],
  ["grimoire", "list"],
  ["inbox"],
  ["search", "login"],
  ["doctor"],
  ["session", "stats"],
  ["session", "stats", "--by", "agent"],
  ["config", "show"],
];

describe.runIf(hasTerminals)("T15 on a terminal", () => {
  test.each([80, 120])("T15 every list fits %i columns, and shows ids and titles", async (columns) => {
    for (const args of lists) {
      const { lines } = await onTerminal(repo, args, { columns, rows: 200, env: { NO_COLOR: "1" } });
      expect([args, tooWide(lines, columns)]).toEqual([args, []]);
    }
    const sessions = await onTerminal(repo, ["session", "list"], { columns });
    expect(sessions.lines.join("\n")).toContain(session);
    const runs = await onTerminal(repo, ["run", "list"], { columns });
    expect(runs.lines.join("\n")).toContain("Fix the login");
  });

  test("S7 show renders markdown, within the width; in a pipe it stays as it is", async () => {
    const { lines, written } = await onTerminal(repo, ["session", "show", session], { rows: 200 });
    expect(tooWide(lines, 80)).toEqual([]);
    const text = lines.join("\n");
    expect(text).toContain("  The bold and soft code_words of src/*.ts, here (https://example.com).");
    expect(text).toMatch(/\n {2}• an item\. Make the login .*\n {4}\S/);
    expect(text).toContain("\n  ✓ done");
    expect(text).toContain("\n  ▌ note Mind");
    expect(text).toContain("\n  │ let x = 1;");
    expect(written).toContain("\x1b[1mbold\x1b[22m");
    expect(written).toContain("\x1b[3msoft\x1b[23m");
    expect(written).toContain("\x1b[36mcode_words\x1b[39m");
    expect(written).toContain("\x1b[32m▌\x1b[39m Use \x1b[1mseconds\x1b[22m.");
    const raw = await repo.clew("session", "show", session);
    expect(raw).toContain("The **bold** and *soft* `code_words` of src/*.ts, [here](https://example.com).");
  });
});

describe.runIf(hasTerminals)("T15 the pager", () => {
  const pager = `sed 's/^/paged: /'`;

  test("T15 what is longer than the screen goes through CLEW_PAGER, else PAGER; what fits does not", async () => {
    const long = await onTerminal(repo, ["session", "show", session], {
      rows: 10,
      env: { CLEW_PAGER: pager, PAGER: "false" },
    });
    expect([long.code, long.lines[0]]).toEqual([0, expect.stringMatching(/^paged: Make the login/)]);
    const user = await onTerminal(repo, ["session", "show", session], { rows: 10, env: { PAGER: pager } });
    expect(user.lines.every((line) => line.startsWith("paged: "))).toBe(true);
    const short = await onTerminal(repo, ["session", "show", session], { rows: 200, env: { PAGER: pager } });
    expect(short.lines[0]).toMatch(/^Make the login/);
    const log = await onTerminal(repo, ["run", "log", "latest"], { rows: 4, env: { PAGER: pager } });
    expect(log.lines.every((line) => line.startsWith("paged: "))).toBe(true);
  });

  test("T15 it is off with --no-pager, an empty CLEW_PAGER, cat, --json, -f, and in a pipe", async () => {
    const env = { PAGER: pager };
    const show = ["session", "show", session];
    const isPaged = async (args: string[], more: Record<string, string> = {}): Promise<boolean> =>
      (await onTerminal(repo, args, { rows: 10, env: { ...env, ...more } })).written.includes("paged: ");
    expect(await isPaged(show)).toBe(true);
    expect(await isPaged([...show, "--no-pager"])).toBe(false);
    expect(await isPaged(["--no-pager", ...show])).toBe(false);
    expect(await isPaged(["--no-pager"])).toBe(false);
    expect(await isPaged(show, { CLEW_PAGER: "" })).toBe(false);
    expect(await isPaged(show, { CLEW_PAGER: "cat" })).toBe(false);
    expect(await isPaged([...show, "--json"])).toBe(false);
    expect(await isPaged(["run", "log", "latest", "--json"])).toBe(false);
    const { stdout } = await repo.run(show, { env });
    expect(stdout).not.toContain("paged: ");
  });

  test("T15 a pager that is missing, or that is left at once, is no failure", async () => {
    const show = ["session", "show", session];
    for (const missing of ["no-such-pager --really", "no-such-pager | tee /dev/null"]) {
      const outcome = await onTerminal(repo, show, { rows: 10, env: { PAGER: missing } });
      expect([outcome.code, outcome.written.includes("The ")]).toEqual([
        0,
        missing.includes("|") ? expect.anything() : true,
      ]);
    }
    expect((await onTerminal(repo, show, { rows: 10, env: { PAGER: "true" } })).code).toBe(0);
    expect((await onTerminal(repo, show, { rows: 10, env: { PAGER: "head -n 2" } })).lines.length).toBe(2);
  });

  test("T15 all of a text is there when the pager is missing, however long it is", async () => {
    using other = new Repo();
    const command = `seq -f 'line %.0f ${"x".repeat(45)}' 1000`;
    const steps = Array.from({ length: 40 }, (_, at) => script(`s${at}`, command));
    writeFlow(other, ...steps);
    await runFlow(other);
    const env = { PAGER: "no-such-pager '--really'" };
    const { code, written } = await onTerminal(other, ["run", "log", "latest"], { rows: 10, env });
    const plain = await onTerminal(other, ["run", "log", "latest", "--no-pager"], { rows: 10 });
    expect(code).toBe(0);
    expect(plain.written.length).toBeGreaterThan(2 ** 21);
    expect(written.slice(written.indexOf("\n", written.indexOf("no-such-pager")) + 1)).toBe(plain.written);
  });

  test("T15 the repository cannot name a pager", async () => {
    repo.git("config", "core.pager", "touch stolen");
    const { code } = await onTerminal(repo, ["session", "show", session], { rows: 10, env: { CLEW_PAGER: "cat" } });
    const less = await onTerminal(repo, ["session", "show", session], {
      rows: 10,
      env: { LESS: "FRX", PAGER: "head -n 1" },
    });
    expect([code, less.code]).toEqual([0, 0]);
    expect(repo.git("status", "--short", "--", "stolen")).toBe("");
  });

  test("T15 --no-pager as a value, or behind --, is a word", async () => {
    await repo.clew("session", "log", "-s", session, "tool", "git", "--args", "--no-pager");
    await repo.clew("session", "log", "-s", session, "text", "--", "--no-pager");
    const { phases } = await repo.show(session);
    const entries = phases.at(-1)!.entries.slice(-2);
    expect(entries).toEqual([
      expect.objectContaining({ args: "--no-pager" }),
      expect.objectContaining({ text: "--no-pager" }),
    ]);
  });
});

describe.runIf(hasTerminals)("T15 the demo", () => {
  test("T15 waits for Enter between chapters, and Ctrl-C leaves it politely", async () => {
    using empty = new Repo();
    const hint = "Enter goes on, Ctrl-C leaves";
    const { code, lines } = await onTerminal(empty, ["demo"], {
      types: [
        [hint, "\r"],
        [hint, "\x03"],
      ],
    });
    const text = lines.join("\n");
    expect(code).toBe(130);
    expect(text).toContain("1. Somebody hands work to an agent.");
    expect(text).toContain("2. The agent looks around.");
    expect(text).not.toContain("3. A person steps in.");
    expect(text).toContain("You left the demo. Nothing of it stays.");
  });
});
