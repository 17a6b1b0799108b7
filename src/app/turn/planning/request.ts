import type { TurnsApi } from "../../../contract/api/turn.ts";

/** What a person asks for when a turn is planned. */
export type PlanRequest = Omit<Parameters<TurnsApi["plan"]>[0], "session">;
