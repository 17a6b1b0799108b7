import { Option, type Command } from "commander";
import type { PeriodRequest } from "../../../contract/api/session-period.ts";
import { sessionKinds, type SessionKind } from "../../../contract/session-values.ts";

/** Which sessions a period has. */
export interface PeriodOptions {
  since?: string;
  until?: string;
  agent?: string;
  channel?: string;
  kind?: SessionKind;
}

export function periodOptions(command: Command): void {
  command
    .option("--since <date>", "of a period: sessions started on or after: 2026-11-01, or so long ago: 1d, 2w, 12h")
    .option("--until <date>", "of a period: sessions started before")
    .option("--agent <name[@version]>", "of a period: only with this agent")
    .option("--channel <name>", "of a period: only with a phase there")
    .addOption(new Option("--kind <kind>", "of a period: only of this kind").choices(sessionKinds));
}

/** Empty where no period was asked for. */
export function periodRequest({ since, until, agent, channel, kind }: PeriodOptions): PeriodRequest {
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(agent !== undefined && { agent }),
    ...(channel !== undefined && { channel }),
    ...(kind !== undefined && { kind }),
  };
}
