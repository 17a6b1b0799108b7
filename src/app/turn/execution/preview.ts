import type { ExecutionPreview, ShownAction } from "../../../contract/api/turn-execution.ts";
import { needOf, type Need } from "./approval.ts";
import { planToExecute, turnToExecute, type PlanToExecute } from "./find-turn.ts";
import { effectiveMemos } from "./memo-changes.ts";
import type { ExecutionParts } from "./parts.ts";
import { PlannedFiles } from "./planned-files.ts";
import { shownAction } from "./show-action.ts";

/** What executing a plan would do. Nothing is written, and no command is run. */
export async function previewExecution(
  parts: ExecutionParts,
  { session: name, turn: given }: { session?: string | undefined; turn?: string | undefined },
): Promise<ExecutionPreview> {
  const session = await parts.find(name);
  const turn = turnToExecute(parts, session, given);
  return previewOf(parts, { session, turn, planned: planToExecute(parts, session, turn) });
}

export function previewOf(
  parts: ExecutionParts,
  { session, turn, planned }: { session: string; turn: string; planned: PlanToExecute },
): ExecutionPreview {
  const { plan, agent, isChanged } = planned;
  const actions = shownActions(parts, planned);
  return {
    session_id: session,
    turn,
    title: plan.title,
    agent,
    plan_changed: isChanged,
    memos: effectiveMemos(parts, plan.memos),
    actions,
    to_approve: actions.filter(({ approval }) => approval === "needed").length,
  };
}

/**
 * Every action on the files as they will be, as if all before it were approved. Behind a command nobody can tell what the files are: there
 * only what stands in the way of a path for good is told.
 */
function shownActions(parts: ExecutionParts, { plan, agent }: PlanToExecute): ShownAction[] {
  const files = new PlannedFiles(parts.files, parts.sha256);
  let isAfterCommand = false;
  return plan.actions.map((action, index) => {
    const need: Need = needOf(action, agent, parts.rules);
    if (action.type === "EXECUTE") isAfterCommand = true;
    if ((action.type !== "CREATE" && action.type !== "EDIT") || need.approval === "denied")
      return shownAction(index + 1, action, { need });
    const outcome = files.apply(action);
    if ("edit" in outcome || !isAfterCommand) return shownAction(index + 1, action, { need, outcome });
    const state = parts.files.look(action.path);
    if (state.kind === "refused") return shownAction(index + 1, action, { need, outcome });
    return shownAction(index + 1, action, {
      need,
      notes: ["whether it can be done is seen after the commands before it"],
    });
  });
}
