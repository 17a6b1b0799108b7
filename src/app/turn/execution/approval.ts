import type { PlannedAction } from "../../../contract/plan.ts";
import { steersClew } from "../../../contract/steers-clew.ts";
import type { PolicyVerdict } from "../../policy/agent-policy.ts";

/** A call as rules of the policy look at it. */
export interface AskedCall {
  tool: "Edit" | "Bash" | "Read" | "WebFetch" | "WebSearch";
  input: Record<string, string>;
  agent: string;
}

/** What the policy says of a call; nothing where no rule decides. Throws a ClewError when the rules cannot be read. */
export type JudgeCall = (call: AskedCall) => PolicyVerdict | undefined;

/**
 * Which approval of several actions at once covers an action. `rest`: approving the rest, or all. `all`: only approving all, because
 * the action steers Clew itself. `none`: a rule has it asked about.
 */
type Cover = "rest" | "all" | "none";

/** What an action needs before it is done. */
export type Need =
  | { approval: "none_needed" }
  | { approval: "needed"; coveredBy: Cover; reason?: string }
  | { approval: "policy"; reason: string }
  | { approval: "denied"; reason: string };

/** First what denies, then what asks, then what allows: all that an action does has to be allowed. */
export function needOf(action: PlannedAction, agent: string, judge: JudgeCall): Need {
  const verdicts = callsOf(action, agent).map(judge);
  const denied = verdicts.find((each) => each?.decision === "deny");
  if (denied) return { approval: "denied", reason: denied.reason };
  const asked = verdicts.find((each) => each?.decision === "ask");
  if (asked) return { approval: "needed", coveredBy: "none", reason: asked.reason };
  if (!needsApproval(action)) return { approval: "none_needed" };
  // What decides how Clew works is seen by a person, whatever a rule allows.
  if (changesClew(action)) return { approval: "needed", coveredBy: "all" };
  const [allowed] = verdicts;
  if (allowed && verdicts.every((each) => each?.decision === "allow"))
    return { approval: "policy", reason: allowed.reason };
  return { approval: "needed", coveredBy: "rest" };
}

/** Whether an action changes a file that steers Clew itself. */
export function changesClew(action: PlannedAction): boolean {
  return (action.type === "CREATE" || action.type === "EDIT") && steersClew(action.path);
}

function needsApproval(action: PlannedAction): boolean {
  if (action.type === "RESEARCH") return action.sources.some(({ kind }) => kind !== "path");
  return action.type === "CREATE" || action.type === "EDIT" || action.type === "EXECUTE";
}

function callsOf(action: PlannedAction, agent: string): AskedCall[] {
  switch (action.type) {
    case "CREATE":
    case "EDIT":
      return [{ tool: "Edit", input: { file_path: action.path }, agent }];
    case "EXECUTE":
      return [{ tool: "Bash", input: { command: action.command, ...(action.cwd && { cwd: action.cwd }) }, agent }];
    case "READ":
      return action.sources.map((path) => ({ tool: "Read", input: { file_path: path }, agent }));
    case "RESEARCH":
      return action.sources.map(({ kind, text }) => {
        if (kind === "path") return { tool: "Read", input: { file_path: text }, agent };
        if (kind === "url") return { tool: "WebFetch", input: { url: text }, agent };
        return { tool: "WebSearch", input: { query: text }, agent };
      });
    case "CHAT_WITH_USER":
    case "INVOKE":
      return [];
  }
}
