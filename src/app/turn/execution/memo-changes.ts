import { assumeRedacted } from "../../../contract/redacted.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { MemoChange } from "../../../contract/plan.ts";
import type { ExecutionReport } from "../../../contract/turn-report.ts";
import { changeMemos } from "../../../turn/memos/change-memos.ts";
import type { ExecutionParts } from "./parts.ts";
import type { Person } from "./person.ts";

export type MemoOutcome = ExecutionReport["run_summary"]["memos"];

/** What becomes of a plan's memo changes: `stopped` when the person stopped instead of answering. */
export type MemoAnswer = { outcome: MemoOutcome } | { stopped: true };

/** A plan's memo changes, each with why it would change nothing, if so. */
export function effectiveMemos(
  { memos }: Pick<ExecutionParts, "memos">,
  changes: MemoChange[],
): (Pick<MemoChange, "change" | "text"> & { ignored?: string })[] {
  const result = changes.length === 0 ? undefined : changeMemos(memos.read(), changes);
  const ignored = result && "ignored" in result ? result.ignored : [];
  return changes.map(({ change, text }, at) => ({
    change,
    text,
    ...(ignored[at] !== undefined && { ignored: ignored[at] }),
  }));
}

/** Throws before anything is asked when the file of memos cannot be changed. */
export function checkMemos({ memos }: Pick<ExecutionParts, "memos">, changes: MemoChange[]): void {
  if (changes.length > 0) changed(memos.read(), changes);
}

/** Asks about memo changes on their own, and makes those that are accepted. */
export async function decideMemos(
  parts: Pick<ExecutionParts, "memos" | "redact" | "settings">,
  changes: MemoChange[],
  person: Pick<Person, "ask" | "tell"> & { answer?: "accept" | "reject" | undefined },
): Promise<MemoAnswer> {
  if (changes.length === 0) return { outcome: { answer: "none", changes: [] } };
  const decided = await decide(parts, changes, person);
  if (decided === "stopped") return { stopped: true };
  const { answer, by } = decided;
  person.tell({ type: "memos", answer, by });
  if (answer === "rejected") return { outcome: { answer, by, changes: changes.map((each) => ({ ...each })) } };
  const before = parts.memos.read();
  const added = changes.map((each) => (each.change === "add" ? { ...each, text: parts.redact(each.text) } : each));
  const { text, ignored } = changed(before, added);
  // What is added is redacted; what else the file holds is a person's own, and stays as it is.
  if (text !== before) parts.memos.write(assumeRedacted(text));
  const told = changes.map((each, at) => ({ ...each, ...(ignored[at] !== undefined && { ignored: ignored[at] }) }));
  return { outcome: { answer, by, changes: told } };
}

type Decided = { answer: "accepted" | "rejected"; by: "user" | "setting" | "no_terminal" };

async function decide(
  { settings, memos }: Pick<ExecutionParts, "settings" | "memos">,
  changes: MemoChange[],
  { ask, answer: given }: Pick<Person, "ask"> & { answer?: "accept" | "reject" | undefined },
): Promise<Decided | "stopped"> {
  if (given !== undefined) return { answer: given === "accept" ? "accepted" : "rejected", by: "user" };
  if (settings.memos !== "ask") return { answer: settings.memos === "accept" ? "accepted" : "rejected", by: "setting" };
  if (!ask) return { answer: "rejected", by: "no_terminal" };
  const answer = await ask({ about: "memos", changes: effectiveMemos({ memos }, changes) });
  if (answer === undefined || answer.answer === "stop") return "stopped";
  return { answer: answer.answer === "approve" ? "accepted" : "rejected", by: "user" };
}

function changed(text: string | undefined, changes: MemoChange[]) {
  const result = changeMemos(text, changes);
  if ("text" in result) return result;
  const [problem] = result.problems;
  throw new ClewError(
    "invalid_input",
    `.clew/memos.yaml: line ${problem?.line ?? 1}: ${problem?.message ?? "it is no list of memos"}`,
    "it is a YAML list of strings: mend the line, then repeat the command",
  );
}
