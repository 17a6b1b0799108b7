import type { AgentRequest } from "../../app/engine/agents.ts";
import { expectsHooks } from "../../app/engine/hook-endpoint.ts";
import { hookLine, type ReadHook } from "../../app/hook/hook-line.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import { shellCallOf } from "../../engine/tool-kinds.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { markedCaller } from "../hooks/marked-caller.ts";
import { markVariable } from "../shell/process-marks.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import type { Engine } from "./engine.ts";
import { noteFault, type EvidenceKeeper } from "./hook-desk.ts";

/**
 * Keeps the calls of an agent outside runs whose engine calls no hooks, as its stream tells of them. Those of runs are kept by their steps. A
 * fault of ours stops no agent.
 */
export class StreamEvidence {
  readonly #keep: (line: Pick<ReadHook, "event" | "fields">) => void;
  readonly #background = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  #evidence: EvidenceKeeper | undefined;

  constructor(
    { hooks, redactor }: Pick<EngineAgentParts, "hooks" | "redactor">,
    { place: { mark, env, folder } }: Pick<AgentRequest, "place">,
    { name, abilities }: Pick<Engine, "name" | "abilities">,
  ) {
    const caller = markedCaller({ ...env, [markVariable]: mark });
    const isWitness = hooks && caller?.step === null && !expectsHooks(abilities.hooks);
    this.#keep = ({ event, fields }) => {
      if (!isWitness) return;
      const about = { event, fields, engine: name, folder, caller, via: "stream" as const };
      const append = async (): Promise<void> => {
        const { line } = hookLine((value) => redactValue(value, redactor.redact), {
          ...about,
          at: hooks.now().toISOString(),
        });
        await (this.#evidence ??= hooks.openEvidence(caller.owner)).append(line);
      };
      const writing: Promise<void> = append()
        .catch((error: unknown) => noteFault({ ...hooks, redactor }, event, error))
        .finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    };
  }

  take(event: EngineEvent): void {
    if (event.type === "tool_call") {
      const { id, name, input } = event;
      if (shellCallOf(name, input)?.isBackground) this.#background.add(id);
      this.#keep({ event: "PreToolUse", fields: { tool_use_id: id, tool_name: name, tool_input: input } });
    }
    if (event.type === "tool_result") {
      const { id, failed, exit_code } = event;
      const exit = exit_code !== undefined && !this.#background.has(id) && { exit_code };
      this.#keep({ event: failed ? "PostToolUseFailure" : "PostToolUse", fields: { tool_use_id: id, ...exit } });
    }
  }

  /** When all that was told is on disk. */
  async end(): Promise<void> {
    await Promise.all(this.#writing);
    await this.#evidence?.close();
  }
}
