import type { Rehydration } from "../../contract/rehydration.ts";
import { visibleControls } from "../../text/controls.ts";
import { label } from "../resume/label.ts";

const maxDecisions = 10;

/** What a summary of an agent's context has to keep, for whoever writes it. The agent is told all of it again afterwards. */
export function summaryWords({ run, bead, folder, session_id, token, decisions }: Rehydration): string {
  const facts = [
    run && `run ${one(run.id)}${run.step === null ? "" : `, step ${one(run.step)}`}, grimoire ${one(run.grimoire)}`,
    bead && `bead ${one(bead.id)}: ${one(bead.title)}`,
    folder !== undefined && `folder ${one(folder)}`,
    session_id !== null && `session ${one(session_id)}`,
    token !== undefined && `continue token ${token}`,
    ...decisions.slice(-maxDecisions).map((text) => `decided: ${one(text)}`),
  ];
  const list = facts.filter((each) => typeof each === "string").map((each) => `- ${each}`);
  return `Keep these facts of Clew's, as they are:\n${list.join("\n")}\nWhat is missing here, Clew tells the agent after the compaction.`;
}

function one(text: string): string {
  return visibleControls(label(text, 60));
}
