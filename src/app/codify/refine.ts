import type { CodifiedText, CodifyApi } from "../../contract/api/codify.ts";
import { workflowFiles } from "../../contract/codify-values.ts";
import { refinePrompt, refinedText } from "../../learn/codify/refine-prompt.ts";
import { unifiedDiff } from "../../text/unified-diff.ts";
import { contextOf } from "../session/resume.ts";
import { refuseEngine } from "../agent/talk-options.ts";
import { askAgent, type AnswerPurpose } from "../turn/planning/ask-agent.ts";
import { checkText } from "./check-text.ts";
import type { CodifyParts } from "./parts.ts";

/** What the records of all sessions together may take of the agent's window. */
const recordTokens = 24_000;

type Refined = Awaited<ReturnType<CodifyApi["refine"]>>;

const purpose: AnswerPurpose = {
  nothing: "the workflow is as it was",
  answer: "no better workflow",
  again: "refine again",
  command: "clew session codify --refine",
};

/** Asks an agent that has no tools for a better version of a workflow, and checks what it answers. Throws when it gives none. */
export async function refine(
  parts: CodifyParts,
  original: CodifiedText,
  request: { engine?: string | undefined; model?: string | undefined },
  signal = new AbortController().signal,
): Promise<Refined> {
  const asking = await parts.asking();
  const engine = request.engine ?? asking.defaultEngine;
  refuseEngine(asking.engines, asking.settings, engine);
  const redact = await parts.sessions.redact();
  const { format, notes } = original;
  const records: string[] = [];
  for (const id of original.sessions)
    records.push((await contextOf(parts.sessions, id, Math.floor(recordTokens / original.sessions.length))).text);
  const answer = await askAgent(
    asking,
    {
      session: original.sessions[0]!,
      label: "codify",
      purpose,
      prompt: redact(refinePrompt(format, { text: original.text, notes, records })),
      engine,
      model: request.model,
      limits: undefined,
    },
    { onProgress: () => undefined, onEngineSession: () => undefined, warn: () => undefined },
    signal,
  );
  const text: string = redact(refinedText(answer.text));
  const file = workflowFiles[format];
  const diff = unifiedDiff(original.text, text, { before: `${file} as codified`, after: `${file} as refined` });
  const checked = await checkText(parts, format, text, original.text);
  return {
    original,
    engine,
    ...(answer.model !== undefined && { model: answer.model }),
    text,
    diff,
    ...checked,
    // What the original lacks is told with that.
    notes: checked.notes.filter((note) => !notes.includes(note)),
    ...(answer.usage && { usage: answer.usage }),
  };
}
