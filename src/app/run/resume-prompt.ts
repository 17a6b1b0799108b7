import type { AnsweredPermission } from "../../contract/permission.ts";
import { isAllowed } from "../../contract/permission-values.ts";
import { callSubject } from "../../text/tool-call.ts";

/** What an agent is told whose attempt at a step is not its first. */

/** To one that goes on in its own session. */
export function goOnPrompt(prompt: string, answered: AnsweredPermission | undefined, isCutOff: boolean): string {
  if (answered && !isCutOff) return `${answerWords(answered)} Then go on with your task.`;
  const before = answered ? `${answerWords(answered)}\n\n` : "";
  return `${before}You were cut off while you worked on the task below. See what is done already, and go on from there.\n\n${prompt}`;
}

/** To one that begins anew, and knows nothing of what it asked before. */
export function beginAnewPrompt(prompt: string, answered: AnsweredPermission | undefined): string {
  return answered ? `${prompt.trimEnd()}\n\n${answerWords(answered)}` : prompt;
}

function answerWords(answered: AnsweredPermission): string {
  const asked = `You asked whether you may use ${callWords(answered)}, and were stopped while you waited for the answer.`;
  const words = isAllowed(answered.option)
    ? "A person has allowed it: make that call again if you still need it."
    : "A person has refused it: do without it.";
  return `${asked} ${words}`;
}

/** `Bash: npm publish`, on one line. */
export function callWords({ tool, input }: Pick<AnsweredPermission, "tool" | "input">): string {
  const subject = callSubject(input)?.replaceAll(/\s+/g, " ").trim() ?? "";
  const text = subject === "" ? tool : `${tool}: ${subject}`;
  return text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text;
}
