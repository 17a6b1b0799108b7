import type { HookAnswer, HookEngine } from "../../contract/hook.ts";
import { mergeAnswers } from "../../hook/answer.ts";
import type { PinnedRule } from "../../contract/pinned-run.ts";
import type { MarkedCaller } from "./ports.ts";

/** What an engine asks by a call of a hook. */
export interface HookQuestion {
  /** One of `hookEvents`, or the engine's own name of one that is not known. */
  event: string;
  engine: HookEngine;
  /** As the engine sent it, not redacted. */
  fields: Record<string, unknown>;
  /** The agent of Clew's that calls; undefined when the user started it. */
  caller: MarkedCaller | undefined;
  /** The folder by which the repository was found. */
  folder: string;
  /** What the tool gets in place of its input, where the policy says so and the engine follows. */
  input?: HookAnswer["input"];
  /** Rules of the policy that the agent is held to, whatever the files say now. */
  rules?: readonly PinnedRule[] | undefined;
}

/** Undefined when it has nothing to say. May throw: then it has said nothing, and the fault is told. */
export type HookAnswerer = (question: HookQuestion) => Promise<HookAnswer | undefined>;

/** What all of them answer together. Never throws: a fault of one of them goes to `tellFault`, and the others count. */
export async function answerHook(
  answerers: readonly HookAnswerer[],
  question: HookQuestion,
  tellFault: (error: unknown) => void,
): Promise<HookAnswer> {
  const ends = await Promise.allSettled(answerers.map(async (answer) => answer(question)));
  for (const end of ends) if (end.status === "rejected") tellFault(end.reason);
  const answers = ends.map((end) => (end.status === "fulfilled" ? end.value : undefined));
  return stopped(mergeAnswers(...answers), question);
}

/** An agent that is to stop does not make the call that it stops at. */
function stopped(answer: HookAnswer, { event }: HookQuestion): HookAnswer {
  if (answer.stop === undefined || (event !== "PreToolUse" && event !== "PermissionRequest")) return answer;
  return { ...answer, decision: "deny", reason: answer.reason ?? answer.stop };
}
