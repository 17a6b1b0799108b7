import { describe, expect, test } from "vitest";
import { outcomeOf, Repo } from "../support/repo.ts";

const kinds = [
  "phase",
  "tool",
  "text",
  "decision",
  "decision_needed",
  "approval_required",
  "task_complete",
  "error",
  "user",
  "subagent",
  "tasks",
  "tokens",
];
const commands = [
  "init",
  "status",
  "inbox",
  "inbox answer",
  "search",
  "index",
  "index rebuild",
  "index check",
  "doctor",
  "config",
  "config show",
  "demo",
  "completion",
  ...[
    "",
    " start",
    " log",
    " pause",
    " end",
    " rename",
    " archive",
    " delete",
    " list",
    " search",
    " show",
    " stats",
    " resume",
  ].map((name) => `session${name}`),
  ...kinds.map((kind) => `session log ${kind}`),
];

describe("the front door", () => {
  test("every command has --help with an example", async () => {
    using repo = new Repo();
    const helps = await Promise.all(
      commands.map(async (name) => [name, await repo.clew(...name.split(" "), "--help")] as const),
    );
    const lacking = helps.filter(
      ([name, help]) => !help.includes("\n  $ clew ") || !help.startsWith(`Usage: clew ${name}`),
    );
    expect(lacking.map(([name]) => name)).toEqual([]);
  });

  test("a misspelt command, kind of entry or flag is refused with a suggestion", async () => {
    using repo = new Repo();
    const misspelt: [args: string[], message: string, hint: string][] = [
      [["sesion", "list"], "unknown command 'sesion'", "did you mean session?"],
      [["session", "lst"], "unknown command 'lst'", "did you mean list?"],
      [["session", "list", "--stats", "x"], "unknown option '--stats'", "did you mean --status?"],
      [["session", "log", "decison", "x"], "unknown command 'decison'", "did you mean decision?"],
      [["inbox", "anwser", "x", "y"], "unknown command 'anwser'", "did you mean answer?"],
    ];
    for (const [args, message, hint] of misspelt)
      expect(await repo.refused(args)).toEqual({ code: "usage", message, hint });
  });

  test("a phase or session without a title is refused", async () => {
    using repo = new Repo();
    expect((await repo.refused(["session", "start", "  "])).message).toContain("title");
    await repo.clew("session", "start", "Titles");
    for (const title of ["", " ", "\n\t"])
      expect((await repo.refused(["session", "log", "phase", title])).message).toContain("title");
    expect((await repo.refused(["session", "log", "phase", "Summary"])).message).toContain("Summary");
  });

  test("whoever stops reading is no failure", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Long");
    await repo.log(
      id,
      ...Array.from({ length: 3000 }, (_, at) => ({ kind: "text", text: `${at} ${"x".repeat(200)}` })),
    );
    const child = repo.start(["session", "show", id]);
    child.stdout!.once("data", () => child.stdout!.destroy());
    const { code, stderr } = await outcomeOf(child);
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("completion prints a script for each shell, and Tab finds commands and sessions", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Complete me");
    await repo.clew("session", "list");
    const scripts = await Promise.all(
      ["bash", "zsh", "fish", "powershell"].map((shell) => repo.clew("completion", shell)),
    );
    for (const script of scripts) expect(/clew complete '?--/.test(script)).toBe(true);
    expect((await repo.clew("complete", "--", "session", "sh")).split("\n")[0]).toMatch(/^show\t/);
    expect(await repo.clew("complete", "--", "session", "show", "")).toContain(`${id}\tComplete me`);
    const unknown = await repo.run(["completion", "tcsh"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/^error: <shell>: must be one of zsh, bash, fish, powershell, not "tcsh"/);
  });
});
