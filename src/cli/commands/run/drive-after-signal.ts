import type { Signal } from "../../../contract/run.ts";
import type { CliContext } from "../../context.ts";
import { drive, exitCodes } from "./drive.ts";

/** Goes on with a run after a person's signal, whichever command gave it, and says when the signal came too late. */
export async function driveAfterSignal(
  context: CliContext,
  { runId, kind, json }: { runId: string; kind: Signal["kind"]; json: boolean },
): Promise<void> {
  const request = { runId, from: "now", json } as const;
  switch (kind) {
    case "reject": {
      // A completed run landed what the person refused: that is a failure.
      await drive(context, { ...request, exits: { ...exitCodes, completed: 1 } });
      if (context.exitCode === 1)
        context.output.say("the reject came too late: another verdict had been taken up by then");
      return;
    }
    case "cancel": {
      // A cancelled run is the success here, a completed one came too late.
      const exits = { ...exitCodes, completed: 1, cancelled: 0 };
      await drive(context, { ...request, withEvents: false, exits });
      if (context.exitCode === 1) context.output.say("the cancel came too late: the run had come to its end by then");
      return;
    }
    default:
      return drive(context, request);
  }
}
