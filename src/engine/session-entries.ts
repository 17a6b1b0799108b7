import type { EngineEvent } from "../contract/engine.ts";
import type { LogEntry, ToolEntry } from "../contract/session.ts";
import { callArgs } from "../text/tool-call.ts";

/** Makes a session's entries of what one agent does. The same events always give the same entries. */
export class AgentEntries {
  /** Calls without a result so far. */
  readonly #calls = new Map<string, Pick<ToolEntry, "name" | "args">>();
  #model: string | undefined;

  /** The model that it works with, as a session can name it. */
  get model(): string | undefined {
    return asModel(this.#model);
  }

  add(event: EngineEvent): LogEntry[] {
    switch (event.type) {
      case "init":
        this.#model = event.model;
        return [];
      case "message":
        return event.text.trim() === "" ? [] : [{ kind: "text", text: event.text }];
      case "tool_call":
        this.#calls.set(event.id, { name: asWord(event.name), args: callArgs(event.input) });
        return [];
      case "tool_result": {
        const call = this.#calls.get(event.id) ?? { name: asWord(event.name ?? ""), args: "" };
        this.#calls.delete(event.id);
        return [{ kind: "tool", ...call, result: event.output, failed: event.failed }];
      }
      case "error":
        return [{ kind: "error", text: event.message }];
      case "compacted":
        return [{ kind: "remark", about: "compacted", text: event.text }];
      default:
        return [];
    }
  }

  /** The agent is gone: the calls that never got a result. */
  end(): LogEntry[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    return calls.map((call) => ({ kind: "tool", ...call, failed: false }));
  }
}

/** A model as a session can name it. */
export function asModel(model: string | undefined): string | undefined {
  return model !== undefined && /^[^\s()]+$/u.test(model) ? model : undefined;
}

/** Names of tools have no spaces. */
function asWord(name: string): string {
  return name.replace(/\s+/g, "-").slice(0, 100) || "tool";
}
