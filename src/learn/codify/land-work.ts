import type { CodifyFormat } from "../../contract/codify-values.ts";
import { landsWork, type Grimoire } from "../../contract/grimoire.ts";
import type { DraftStep, LoopDraft, MergeDraft, ScriptDraft } from "./draft-steps.ts";
import { commandKey, commandText } from "./plain-command.ts";
import type { RanCommand } from "./phase-work.ts";
import { isTestCommand } from "./test-command.ts";

/**
 * Every merge verifies with the tests that passed before it. Where work stands behind the last merge, one is added: without it a
 * run would end well, and what it changed would land nowhere. `note` hears of that.
 */
export function landWork(drafts: readonly DraftStep[], note: (text: string) => void): DraftStep[] {
  const passing = new PassingTests();
  const landed = drafts.map((draft): DraftStep => {
    if (draft.type === "merge") return withVerify(draft, passing);
    passing.see(draft);
    return draft;
  });
  if (landed.length === 0 || landed.at(-1)!.type === "merge") return landed;
  const merge = withVerify({ type: "merge", title: "Merge" }, passing);
  const checks = merge.verify
    ? `it verifies with ${merge.verify.map(commandText).join("; ")}`
    : "no plain test command was seen to pass, so it verifies nothing: give it a verify";
  const why = "because no merge stands behind the session's last work, which would not land";
  note(`a merge with a review was added at the end, ${why}; ${checks}`);
  return [...landed, merge];
}

/** What is said of a workflow whose runs end well and merge nothing; undefined of any other. */
export function landsNothing(grimoire: Grimoire, format: CodifyFormat): string | undefined {
  const lands = landsWork(grimoire);
  if (format === "skill" || (lands && format === "grimoire")) return undefined;
  const end = "end it with a step of type: merge";
  const [why, help] = lands
    ? ["workflow markup has no merges", "--format grimoire has the merge"]
    : ["no merge step of this workflow runs", format === "grimoire" ? end : `take --format grimoire, and ${end}`];
  return `NOTHING LANDS: ${why}, so what its runs change stays in their worktrees, not committed; ${help}`;
}

function withVerify(merge: MergeDraft, passing: PassingTests): MergeDraft {
  const verify = passing.commands();
  return verify ? { ...merge, verify } : merge;
}

/** The tests that passed when they last ran. */
class PassingTests {
  readonly #ran = new Map<string, string[]>();
  #loop: ScriptDraft["commands"] | undefined;

  see(draft: Exclude<DraftStep, MergeDraft>): void {
    if (draft.type === "loop") this.#seeLoop(draft);
    else for (const { commands } of draft.work) for (const command of commands) this.#seeCommand(command);
  }

  /** Those of the last loop, or the shortest one: more words mean fewer tests. */
  commands(): string[][] | undefined {
    if (this.#loop) return this.#loop;
    const all = [...this.#ran.values()];
    if (all.length === 0) return undefined;
    return [all.reduce((best, words) => (words.length <= best.length ? words : best))];
  }

  #seeLoop({ test, fixes }: LoopDraft): void {
    for (const { work } of [...fixes, test])
      for (const { commands } of work) for (const command of commands) this.#seeCommand(command);
    const last = test.work.at(-1)!.commands.at(-1)!;
    this.#loop = last.failed ? undefined : test.commands;
  }

  #seeCommand({ words, failed, key, lacksSecret }: RanCommand): void {
    if (failed && this.#loop?.some((each) => commandKey(each) === key)) this.#loop = undefined;
    if (!words || lacksSecret || !isTestCommand(words)) return;
    this.#ran.delete(key);
    if (!failed) this.#ran.set(key, words);
  }
}
