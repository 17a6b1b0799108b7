import type { AgentFacts } from "../../contract/rehydration.ts";
import { label } from "../resume/label.ts";
import type { Fitted } from "./fit.ts";

/** The kinds of what is told as far as there is room. */
export type ShareName = "missing_evidence" | "prompt" | "open_decisions" | "decisions" | "notes" | "tasks" | "progress";

const names: Record<Exclude<ShareName, "prompt">, string> = {
  missing_evidence: "things that are missing",
  open_decisions: "open questions",
  decisions: "decisions",
  notes: "notes",
  tasks: "open tasks",
  progress: "last words and calls",
};

/** What had to give way to the budget, and where it stands. None when nothing had to. */
export function budgetCutSentences(facts: AgentFacts, fitted: Record<ShareName, Fitted>): string[] {
  const { session_id: session, run } = facts;
  const dropped = (Object.keys(names) as (keyof typeof names)[])
    .filter((name) => fitted[name].dropped > 0)
    .map((name) => `${fitted[name].dropped} earlier ${names[name]}`);
  const shortened = (Object.keys(names) as (keyof typeof names)[]).reduce(
    (sum, name) => sum + fitted[name].shortened,
    0,
  );
  const whole = session === null ? "" : `: clew session show ${label(session, 60)} has them`;
  const sentences: string[] = [];
  if (dropped.length > 0) sentences.push(`Left out: ${dropped.join(", ")}${whole}.`);
  if (shortened > 0) sentences.push(`${shortened} texts are shortened, and end in "…".`);
  const isPromptCut = fitted.prompt.shortened > 0 || fitted.prompt.dropped > 0;
  if (isPromptCut && facts.token !== undefined)
    sentences.push(
      `What you were asked is shortened: workflow_resume with run ${label(run?.id ?? "", 60)} tells it whole.`,
    );
  else if (isPromptCut) sentences.push("What you were asked is shortened.");
  return sentences;
}
