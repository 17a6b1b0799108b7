import type { AgentRequest } from "../../app/engine/agents.ts";
import { expectsHooks, type HookServer } from "../../app/engine/hook-endpoint.ts";
import { hookVariables } from "../../contract/hook.ts";
import { markedCaller } from "../hooks/marked-caller.ts";
import { markVariable } from "../shell/process-marks.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import type { Engine } from "./engine.ts";
import { AgentHookDesk } from "./hook-desk.ts";

/** Lets an agent work, with hooks where its engine calls any. */
export function withHooks<T>(
  { hooks, redactor, answerHook }: Pick<EngineAgentParts, "hooks" | "redactor" | "answerHook">,
  { place, listeners, rules }: Pick<AgentRequest, "place" | "listeners" | "rules">,
  { name, abilities }: Pick<Engine, "name" | "abilities">,
  work: (server?: HookServer) => Promise<T>,
): Promise<T> {
  if (!hooks || !expectsHooks(abilities.hooks)) return work();
  const { folder, mark, env } = place;
  const caller = markedCaller({ ...env, [markVariable]: mark })!;
  const agent = { engine: name, folder, caller, rules, onHook: listeners.onHook?.bind(listeners) };
  return new AgentHookDesk({ ...hooks, redactor, answerHook }, agent).whileOpen(work);
}

/** For the engine, and for `clew hook` below it. What an outer agent got must not reach this one. */
export function hookEnvironment(server: HookServer | undefined): Record<string, string | undefined> {
  return { [hookVariables.url]: server?.url, [hookVariables.token]: server?.token };
}
