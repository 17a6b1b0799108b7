import { describe, expect, it } from "vitest";
import type { Plan } from "../../contract/plan.ts";
import { problemPictures } from "./problem-picture.ts";
import { readPlan } from "./read-plan.ts";

const good = `# Add the greeting
- **Status:** Green
- **Plan Type:** Implementation
- **Agent:** dev
- **Goal:** say hello

## Rationale
~~~~~~
Why.
~~~~~~

## Context Vault
~~~~~~
README.md
src/a.txt
~~~~~~

## Memos
- [+] Use pnpm
- [-] Use npm

## Action Plan

### \`CREATE\`
- **File Path:** [src/a.txt](/src/a.txt)
- **Description:** the file
~~~~~~
one
~~~~~~

### \`EDIT\`
- **File Path:** [src/a.txt](/src/a.txt)
- **Description:** shout
#### \`FIND:\`
~~~~~~
one
~~~~~~
#### \`REPLACE:\`
~~~~~~
ONE
~~~~~~

### \`EXECUTE\`
- **Description:** look
- **Expected Outcome:** ONE
~~~~~~shell
cat src/a.txt
~~~~~~
`;

const goodPlan: Plan = {
  title: "Add the greeting",
  status: "Green",
  plan_type: "Implementation",
  agent: "dev",
  goal: "say hello",
  rationale: "Why.",
  vault: ["README.md", "src/a.txt"],
  memos: [
    { change: "add", text: "Use pnpm" },
    { change: "remove", text: "Use npm" },
  ],
  actions: [
    {
      type: "CREATE",
      path: "src/a.txt",
      content: "one\n",
      overwrite: false,
      line: 24,
      description: "the file",
      may_fail: false,
    },
    {
      type: "EDIT",
      path: "src/a.txt",
      edits: [{ find: "one", replace: "ONE", line: 36 }],
      line: 31,
      description: "shout",
      may_fail: false,
    },
    { type: "EXECUTE", command: "cat src/a.txt", expected: "ONE", line: 43, description: "look", may_fail: false },
  ],
};

/** A plan with these lines as its action plan. */
function planOf(...actions: string[]): string {
  return ["# T", "## Rationale", "Why.", "## Context Vault", "## Action Plan", ...actions, ""].join("\n");
}

/** `LINE:COLUMN message | hint` of each problem. */
function wrong(text: string): string[] {
  const { plan, problems } = readPlan(text);
  expect(plan === undefined).toBe(problems.some(({ severity }) => severity === "error"));
  return problems.map(({ line, column, message, hint }) => `${line}:${column} ${message} | ${hint}`);
}

const withoutLines = (plan: Plan | undefined): unknown =>
  JSON.parse(JSON.stringify(plan ?? null, (key, value: unknown) => (key === "line" ? undefined : value)));

describe("T4 a plan", () => {
  it("is read as the requirements write it", () => {
    expect(readPlan(good)).toEqual({ plan: goodPlan, problems: [] });
  });

  const variants: [name: string, text: string][] = [
    ["CRLF", good.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${good}`],
    ["text before the title", `Here is the plan:\n\n\`\`\`js\n# no title\n\`\`\`\n\n${good}`],
    ["one outer fence", `Sure!\n\n\`\`\`markdown\n${good}\`\`\`\n\nTell me what you think.\n`],
    ["one outer fence of tildes as long as those inside", `~~~~~~\n${good}~~~~~~\n`],
    ["no blank lines", good.replaceAll(/\n\n+/g, "\n")],
    ["stars for dashes", good.replaceAll("\n- ", "\n* ")],
    ["keys without bold", good.replaceAll(/\*\*([A-Za-z ]+):\*\*/g, "$1:")],
    ["the colon outside of the bold", good.replaceAll(/\*\*([A-Za-z ]+):\*\*/g, "**$1**:")],
    ["keys without bullets", good.replaceAll("\n- **", "\n**")],
    ["headings without backticks", good.replaceAll(/^(#+ )`(.*)`$/gm, "$1$2")],
    ["labels without a colon", good.replaceAll(/(FIND|REPLACE):/g, "$1")],
    ["labels in bold", good.replaceAll(/#### `(FIND|REPLACE):`/g, "**$1:**")],
    ["types in lower case", good.replaceAll(/`(CREATE|EDIT|EXECUTE)`/g, (type) => type.toLowerCase())],
    ["numbered actions", good.replaceAll("\n### `", "\n### 1. `")],
    ["headings without a space", good.replaceAll("\n## ", "\n##")],
    ["bare paths", good.replaceAll(/\[(.*)\]\(.*\)/g, "$1")],
    ["paths from the root", good.replaceAll(/\[(.*)\]\((.*)\)/g, "$2")],
    ["paths as code", good.replaceAll(/\[(.*)\]\(.*\)/g, "`./$1`")],
    ["trailing spaces", good.replaceAll(/^(?=[#~-])(.*)$/gm, "$1  ")],
    ["backtick fences", good.replaceAll("~~~~~~", "```")],
    ["long fences", good.replaceAll("~~~~~~", "~~~~~~~~~~~~")],
    ["the rationale without a fence", good.replace("~~~~~~\nWhy.\n~~~~~~", "Why.")],
    ["the vault as a list", good.replace("~~~~~~\nREADME.md\nsrc/a.txt\n~~~~~~", "- `README.md`\n- [a](/src/a.txt)")],
    ["rules between parts", good.replaceAll("\n## ", "\n---\n\n## ")],
    ["sections in another order", good.replace(/(## Rationale[^#]*)([^]*)$/, "$2\n$1")],
  ];
  it.each(variants)("is read the same with %s", (_, text) => {
    const { plan, problems } = readPlan(text);
    expect(problems).toEqual([]);
    expect(withoutLines(plan)).toEqual(withoutLines(goodPlan));
  });

  it("has actions of all types, with all keys", () => {
    const text = planOf(
      "### `CREATE`",
      "- **Path:** a.txt",
      "- **Overwrite:** yes",
      "- **Allow Failure:** True",
      "~~~~~~",
      "~~~~~~",
      "### READ",
      "~~~",
      "- src/a.txt",
      "[b c.txt](/b%20c.txt)",
      "~~~",
      "### `Research`",
      "```",
      "https://example.com/a",
      "docs/a.md",
      "how do others do it?",
      "Query: node.js",
      "```",
      "### EXECUTE",
      "- **Timeout:** 2 min",
      "- **Working directory:** /packages/a/",
      "```bash",
      "npm test",
      "```",
      "### `CHAT WITH USER`",
      "~~~~~~",
      "Which one?",
      "~~~~~~",
      "### `INVOKE`",
      "- **Agent:** `architect`",
      "~~~~~~",
      "Go on.",
      "~~~~~~",
    );
    expect(wrong(text)).toEqual([]);
    expect(readPlan(text).plan!.actions.map(({ line: _, may_fail: __, description: ___, ...rest }) => rest)).toEqual([
      { type: "CREATE", path: "a.txt", content: "", overwrite: true },
      { type: "READ", sources: ["src/a.txt", "b c.txt"] },
      {
        type: "RESEARCH",
        sources: [
          { kind: "url", text: "https://example.com/a" },
          { kind: "path", text: "docs/a.md" },
          { kind: "query", text: "how do others do it?" },
          { kind: "query", text: "node.js" },
        ],
      },
      { type: "EXECUTE", command: "npm test", cwd: "packages/a", timeout_ms: 120_000 },
      { type: "CHAT_WITH_USER", text: "Which one?" },
      { type: "INVOKE", agent: "architect", text: "Go on." },
    ]);
  });
});

describe("T4 what is wrong with a plan", () => {
  it("is told all at once, each with its place and the expected form", () => {
    const text = planOf(
      "### `DELETE`",
      "### `CREATE`",
      "- **File Pth:** a.txt",
      "~~~~~~",
      "~~~~~~",
      "### `EXECUTE`",
      "- **Timeout:** soon",
      "- **Allow Failure:** maybe",
      "- **Overwrite:** true",
    );
    expect(wrong(text)).toEqual([
      "6:5 unknown type of action `DELETE` | ### `TYPE`, one of CREATE, READ, EDIT, EXECUTE, RESEARCH, CHAT_WITH_USER, INVOKE",
      "7:5 CREATE has no File Path | - **File Path:** [src/a.txt](/src/a.txt)",
      "8:3 unknown key `File Pth` | did you mean File Path?",
      "11:5 EXECUTE has no fence | ~~~~~~shell, the command, ~~~~~~",
      "12:16 Timeout is a duration of at most 30d, not `soon` | - **Timeout:** 5m, or 90s, 1h30m",
      "13:22 Allow Failure is true or false, not `maybe` | - **Allow Failure:** true",
      "14:3 EXECUTE has no Overwrite | one of Expected Outcome, Working Directory, Timeout, Description, Allow Failure",
    ]);
  });

  const create = (path: string): string => planOf("### CREATE", `- File Path: ${path}`, "~~~", "~~~");
  const cases: [name: string, text: string, told: string][] = [
    ["nothing at all", "", "the plan has no title"],
    ["no title", good.replace("# Add the greeting\n", ""), "the plan has no title"],
    ["two titles", `${good}\n# Another\n`, "a second title"],
    ["no action plan", "# T\n", "the plan has no action plan"],
    ["no actions", planOf(), "the action plan has no action"],
    ["a section twice", `${good}\n## Rationale\nOr so.\n`, "a second Rationale, after that of line 7"],
    ["a misspelt section", good.replace("Action Plan", "Acton Plan"), "did you mean Action Plan?"],
    ["a misspelt type", good.replace("`EXECUTE`", "`EXCUTE`"), "did you mean EXECUTE?"],
    ["EDIT without pairs", planOf("### EDIT", "- File Path: a"), "EDIT has no FIND and REPLACE"],
    [
      "FIND without REPLACE",
      planOf("### EDIT", "- File Path: a", "#### FIND", "~~~", "x", "~~~"),
      "FIND has no REPLACE",
    ],
    ["REPLACE without FIND", planOf("### EDIT", "- File Path: a", "#### REPLACE", "~~~", "x", "~~~"), "no FIND before"],
    ["an empty FIND", good.replace("FIND:`\n~~~~~~\none\n", "FIND:`\n~~~~~~\n"), "FIND is empty"],
    ["a FIND without its fence", planOf("### EDIT", "- File Path: a", "#### FIND", "x"), "FIND has no fence"],
    ["an unclosed fence", good.replace("one\n~~~~~~", "one\n"), "is not closed before the heading of line 31"],
    ["an unclosed fence at the end", good.replace(/~~~~~~\n$/, ""), "the fence that begins here is not closed"],
    [
      "a fence with a shorter end",
      good.replace("one\n~~~~~~", "one\n~~~"),
      "the one of line 29, which should close it",
    ],
    ["a fence inside that is as long", good.replace("\none\n", "\n~~~~~~js\none\n"), "another one inside, in line 28"],
    ["an outer fence that is never closed", `\`\`\`markdown\n${good}`, "the fence around the plan is never closed"],
    ["text in an action", good.replace("### `EXECUTE`\n", "### `EXECUTE`\nSo there.\n"), "no part of EXECUTE"],
    ["a second fence", good.replace(/$/, "~~~~~~\nls\n~~~~~~\n"), "EXECUTE has a second fence"],
    ["another language", good.replace("~~~~~~shell", "~~~~~~python"), "not to `python`"],
    ["a path with ..", create("src/../../a"), ".. in it"],
    ["a path in .git", create("sub/.GIT/config"), ".git"],
    ["a path with a backslash", create("src\\a"), "backslash"],
    ["a path with NUL", create("src/\0a"), "NUL"],
    ["a path at home", create("~/a"), "home folder"],
    ["a path at a drive", create("C:/a"), "drive"],
    ["an address as a path", create("file:///etc/passwd"), "address"],
    ["a folder as a file", create("src/"), "folder"],
    ["a link to elsewhere", create("[src/a.txt](/src/b.txt)"), "leads to another"],
    ["an empty path", create(""), "CREATE has no File Path"],
    ["READ of an address", planOf("### READ", "~~~", "https://example.com", "~~~"), "RESEARCH"],
    ["INVOKE of nobody", planOf("### INVOKE", "~~~", "x", "~~~"), "INVOKE has no Agent"],
    ["a memo without a sign", good.replace("[+] ", ""), "no change of a memo"],
    ["a memo both ways", good.replace("Use npm", "Use pnpm"), "both added and removed"],
    [
      "a key twice",
      good.replace("- **Goal:** say", "- **Agent:** say"),
      "Agent stands here a second time, after line 4",
    ],
    ["a mark in content", good.replace("\none\n", "\nkey [redacted:github-token]\n"), "[redacted:github-token] stands"],
    ["a mark in REPLACE", good.replace("\nONE\n", "\n[redacted:env NAME]\n"), "[redacted:env NAME] stands"],
    ["a mark in a command", good.replace("cat src", "cat [redacted:jwt]"), "[redacted:jwt] stands"],
    ["a mark in a path", create("[redacted:jwt].txt"), "[redacted:jwt] stands"],
  ];
  it.each(cases)("%s", (_, text, told) => {
    const { plan, problems } = readPlan(text);
    expect(plan).toBeUndefined();
    expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining(told));
  });

  it.each([
    ["an unclosed fence", good.replace("one\n~~~~~~", "one\n")],
    ["a shorter end", good.replace("one\n~~~~~~", "one\n~~~")],
  ])("%s is one mistake, and the rest is read", (_, text) => {
    expect(wrong(text)).toHaveLength(1);
  });

  it("a mark outside of actions is none of its business", () => {
    expect(wrong(good.replace("Why.", "As [redacted:jwt] shows."))).toEqual([]);
  });

  it("is shown in a picture", () => {
    const text = good.replace("File Path", "😀\tFile Pfad");
    const { problems } = readPlan(text.replace("😀\t", ""));
    expect(problemPictures(text.replace("😀\t", ""), problems)[1]).toBe(
      [" 25 │ - **File Pfad:** [src/a.txt](/src/a.txt)", "    │   ^", "    │ expected: did you mean File Path?"].join(
        "\n",
      ),
    );
  });
});
