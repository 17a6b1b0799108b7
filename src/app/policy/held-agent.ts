import { addressText } from "../../contract/run.ts";
import { mergeAnswers } from "../../hook/answer.ts";
import type { SightFiles } from "../evidence/ports.ts";
import type { HookAnswerer } from "../hook/answer.ts";
import { callersRuns, type CallersRunsParts } from "../run/connected/callers-runs.ts";
import { isRunOver, readPinnedRun } from "../run/read.ts";

interface Parts extends CallersRunsParts {
  files: Pick<SightFiles, "wanted" | "unwant">;
  /** Answers by the policy. */
  judge: HookAnswerer;
}

/**
 * Answers the hooks of a connected agent by the rules with which its runs began, and by those about their steps. What cannot be told
 * from its own is its own: the agent that starts another run is held to the rules of both.
 */
export function heldAgentAnswerer({ files, judge, ...parts }: Parts): HookAnswerer {
  return async (question) => {
    const wanted = files.wanted();
    for (const { run } of wanted) if (isRunOver(parts.store, run)) files.unwant(run);
    const { called, around, anyones } = callersRuns(parts, question);
    const runs = new Set([...around, ...(called.length > 0 ? called : anyones)].map(({ id }) => id));
    const answers = [...runs].map((id) => {
      const step = wanted.find(({ run }) => run === id);
      const caller = { owner: id, step: step ? addressText(step) : null };
      return judge({ ...question, caller, rules: readPinnedRun(parts.store, id)?.policy });
    });
    return mergeAnswers(...(await Promise.all(answers)));
  };
}
