import type { Signal } from "../../../contract/run.ts";
import type { CliContext } from "../../context.ts";
import { drive, exitCodes } from "./drive.ts";

interface SignalledRun {
  runId: string;
  kind: Signal["kind"];
  json: boolean;
}

/** Goes on with a run after a person's signal, whichever command gave it, and says when the signal came too late. */
export async function driveSignal(context: CliContext, { runId, kind, json }: SignalledRun): Promise<void> {
  const asked = { runId, from: "now", json } as const;
  switch (kind) {
    case "reject": {
      // What was to be refused has landed: that is not what was asked for.
      await drive(context, { ...asked, exits: { ...exitCodes, completed: 1 } });
      if (context.exitCode === 1) context.say("the reject came too late: another verdict had been taken up by then");
      return;
    }
    case "cancel": {
      // Being cancelled is what was asked for; anything else is not.
      const exits = { ...exitCodes, completed: 1, cancelled: 0 };
      await drive(context, { ...asked, withEvents: false, exits });
      if (context.exitCode === 1) context.say("the cancel came too late: the run had come to its end by then");
      return;
    }
    default:
      return drive(context, asked);
  }
}
