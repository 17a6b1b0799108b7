import type { AgentEnd, AgentListeners, ReplayRequest } from "../../app/engine/agents.ts";
import { createFold } from "../../engine/fold.ts";
import { AgentPrices, lacksCost } from "./agent-prices.ts";
import { listen } from "./listen.ts";
import { loadPriceTable } from "./price-table.ts";
import type { EngineAgentParts } from "./agent-parts.ts";

/** See `Agents.replay`. What stands in a transcript is redacted, and stays so. */
export async function replayTranscript(
  { engines, redactor, transcripts, loadPrices }: EngineAgentParts,
  { engine: engineName, transcript: { owner, name }, task, ...request }: ReplayRequest,
  onEvent: AgentListeners["onEvent"],
): Promise<Pick<AgentEnd, "usage" | "rounds"> | undefined> {
  const engine = engines.find((each) => each.name === engineName);
  const pieces = engine && transcripts.read(owner, name);
  if (!engine || !pieces) return undefined;
  const fold = createFold();
  const prices = new AgentPrices(loadPrices ?? loadPriceTable, undefined);
  // What was written to the engine then is not written again; requests have the same numbers, so that their answers fit.
  const silent = (): undefined => undefined;
  const conversation = engine.converse(
    { ...request, task: { ...task, prompt: "", until: "result" }, settings: { script: null } },
    silent,
  );
  conversation.begin();
  const stdout = listen({
    conversation,
    redactor,
    transcript: { name, append: () => {} },
    isWithinLevel: () => false,
    onEvent(event, line) {
      fold.add(event);
      prices.take(event);
      onEvent(event, line);
    },
  });
  const decoder = new TextDecoder();
  for (const piece of pieces) stdout.push(decoder.decode(piece, { stream: true }));
  stdout.push(decoder.decode());
  stdout.end();
  if (lacksCost(fold.state().usage)) await prices.load();
  const { usage, rounds } = fold.state(prices.priceOf);
  return { ...(usage && { usage }), ...(rounds !== undefined && { rounds }) };
}
