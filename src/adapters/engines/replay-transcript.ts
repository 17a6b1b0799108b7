import type { AgentEnd, Agents, ReplayRequest } from "../../app/engine/agents.ts";
import { createFold } from "../../engine/fold.ts";
import { objectIn } from "../../engine/read-fields.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import { AgentPrices, lacksCost } from "./agent-prices.ts";
import { listen } from "./listen.ts";
import { loadPriceTable } from "./price-table.ts";
import type { EngineAgentParts } from "./agent-parts.ts";

/** See `Agents.replay`. What stands in a transcript is redacted, and stays so. */
export async function replayTranscript(
  { engines, redactor, transcripts, loadPrices }: EngineAgentParts,
  { engine: engineName, transcript: { owner, name }, task, ...request }: ReplayRequest,
  onEvent: Parameters<Agents["replay"]>[1],
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
  // Lines without a time of their own come after the last one that has one.
  let atMs = startOf(name);
  const stdout = listen({
    conversation: {
      read(line) {
        atMs = timeOf(line) ?? atMs;
        return conversation.read(line);
      },
      end: () => conversation.end(),
    },
    redactor,
    transcript: { name, append: () => {} },
    isWithinLevel: () => false,
    onEvent(event, line) {
      fold.add(event);
      prices.take(event);
      onEvent(event, line, atMs);
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

/** When the agent was started, as its transcript's name tells it. */
function startOf(name: string): number {
  return transcriptStart(name)?.atMs ?? 0;
}

/** When a line was printed: Claude and Qwen tell it in words, opencode in milliseconds. */
function timeOf(line: string): number | undefined {
  if (!line.includes('"timestamp"')) return undefined;
  const { timestamp } = objectIn(line) ?? {};
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : timestamp;
  return typeof ms === "number" && ms > 0 && ms < 8.64e15 ? ms : undefined;
}
