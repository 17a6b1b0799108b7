import type { HookAnswer } from "../contract/hook.ts";

type Decision = NonNullable<HookAnswer["decision"]>;

/** The strictest first. */
const strictness: readonly Decision[] = ["deny", "defer", "ask", "allow"];

/** One answer of several: the strictest decision with its reasons, all contexts, and of the rest what was said first. */
export function mergeAnswers(...answers: readonly (HookAnswer | undefined)[]): HookAnswer {
  const given = answers.filter((answer) => answer !== undefined);
  const decision = strictness.find((each) => given.some((answer) => answer.decision === each));
  const reasons = given.flatMap((answer) => (answer.decision === decision ? (answer.reason ?? []) : []));
  const contexts = given.flatMap((answer) => answer.context || []);
  const input = given.find((answer) => answer.input !== undefined)?.input;
  const output = given.find((answer) => answer.output !== undefined)?.output;
  const stop = given.find((answer) => answer.stop !== undefined)?.stop;
  return {
    ...(decision && { decision }),
    ...(reasons.length > 0 && { reason: [...new Set(reasons)].join("\n") }),
    ...(input && { input }),
    ...(contexts.length > 0 && { context: [...new Set(contexts)].join("\n\n") }),
    ...(output !== undefined && { output }),
    ...(stop !== undefined && { stop }),
  };
}
