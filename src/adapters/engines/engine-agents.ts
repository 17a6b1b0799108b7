import type { Agents } from "../../app/engine/agents.ts";
import { connectedEngine } from "../../contract/connected.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import { isCostKnown } from "./agent-prices.ts";
import { ConnectedAgent, connectedTraits } from "./connected-agent.ts";
import { loadPriceTable } from "./price-table.ts";
import { replayTranscript } from "./replay-transcript.ts";
import { RunningAgent } from "./run-agent.ts";

/** The agents of all engines: processes, and those that are connected by MCP. */
export function engineAgents(parts: EngineAgentParts): Agents {
  return {
    run: (request) => {
      const { handedIn, redactor, newId } = parts;
      if (!handedIn || request.engine !== connectedEngine) return new RunningAgent(parts, request);
      return new ConnectedAgent({ results: handedIn, redactor, newId }, request);
    },
    prices: () => (parts.loadPrices ?? loadPriceTable)(),
    replay: (request, onEvent) => replayTranscript(parts, request, onEvent),
    traitsOf: (engine) =>
      parts.handedIn && engine === connectedEngine
        ? connectedTraits
        : parts.engines.find(({ name }) => name === engine),
    isCostKnown: (engine, model) => isCostKnown(parts, engine, model),
  };
}
