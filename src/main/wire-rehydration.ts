import { rehydrationFiles } from "../adapters/files/rehydration-files.ts";
import { hookSpools } from "../adapters/hooks/hook-spools.ts";
import { newId, systemClock } from "../adapters/system/system.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { FactsParts } from "../app/rehydrate/facts.ts";
import { Rehydrations } from "../app/rehydrate/rehydrations.ts";
import { rehydrationAnswerer } from "../app/rehydrate/hook-answer.ts";
import { sessionOfCaller } from "../app/rehydrate/session-of-caller.ts";
import { appendInAnyState } from "../app/session/lifecycle.ts";
import type { SessionParts } from "../app/session/parts.ts";
import { sessionIdPattern } from "../contract/session-values.ts";
import { redactRecord } from "../redact/redact-record.ts";
import { redactValue } from "../redact/redact-value.ts";
import { callersParts } from "./wire-callers.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface Wiring {
  sessions: SessionParts;
  runs: () => Promise<OpenedRuns>;
}

/** Puts together what tells agents by their hooks where they stand. */
export async function openRehydrationAnswerer(
  { layout }: Ground,
  { sessions, runs, rehydrations }: Wiring & { rehydrations: Rehydrations },
): Promise<HookAnswerer> {
  const { forApi } = await runs();
  const sessionOf = sessionOfCaller({
    ...callersParts(layout.home, forApi.reading.store),
    sessionOfRun: (run) => (forApi.reading.store.exists(run) ? forApi.sessionOf(run) : undefined),
    isSession: (id) => sessionIdPattern.test(id) && sessions.records.exists(id),
    async sessionOfEngine(engine, session) {
      await sessions.takeInHooks?.();
      const id = hookSpools(layout.home).sessionOf(engine, session);
      return id !== undefined && sessions.records.exists(id) ? id : undefined;
    },
  });
  return rehydrationAnswerer({ rehydrations, sessionOf });
}

/** Puts together what tells agents where they stand. */
export async function openRehydrations(ground: Ground, { sessions, runs }: Wiring): Promise<Rehydrations> {
  const { redact } = await ground.redactor();
  const runParts: FactsParts["runs"] = async () => {
    const { forApi, forConnected } = await runs();
    const { tokens, missingEvidence } = forConnected;
    return { store: forApi.reading.store, tokens, missingEvidence };
  };
  return new Rehydrations({
    sessions,
    runs: runParts,
    log: rehydrationFiles(ground.layout.home),
    redact: (value) => redactValue(value, redact),
    newId,
    now: () => systemClock.now(),
    remark: async (session, text) => {
      const at = new Date(systemClock.now()).toISOString();
      const entry = redactRecord({ kind: "remark" as const, about: "rehydrated" as const, at, text }, redact);
      await appendInAnyState(sessions, session, [entry]);
    },
  });
}
