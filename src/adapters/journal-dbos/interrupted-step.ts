import type { JournalLine } from "../../contract/run-journal.ts";
import { addressText, type StepWork } from "../../contract/run.ts";
import type { AgentContext, WorkContext } from "../../run/handlers.ts";
import { OpenLandings } from "../../run/open-landings.ts";
import { OpenVerification } from "../../run/open-verification.ts";

/** What an earlier attempt at this work may have left half done, as the lines of its run tell. */
export function interruptedStep(
  work: StepWork,
  lines: Iterable<JournalLine>,
): Pick<WorkContext, "landing" | "verification"> & Pick<AgentContext, "cutOff"> {
  const landings = new OpenLandings();
  const verification = new OpenVerification();
  let cutOff: AgentContext["cutOff"];
  for (const line of lines) {
    landings.add(line);
    verification.add(line);
    if (line.type === "agent.init" && addressText(line) === addressText(work))
      cutOff = line.engine_session === undefined ? {} : { engineSession: line.engine_session };
  }
  return { landing: landings.at(work.path), verification: verification.current, cutOff };
}
