import type { PlannedAction } from "../../../contract/plan.ts";
import { steeringPaths, steersClew } from "../../../contract/steers-clew.ts";
import type { PolicyVerdict } from "../../policy/agent-policy.ts";

/** A call as rules of the policy look at it. */
export interface AskedCall {
  tool: "Edit" | "Bash" | "Read" | "WebFetch" | "WebSearch";
  input: Record<string, string>;
  agent: string;
}

/** The rules of the policy. Throws a ClewError when they cannot be read. */
export interface CallJudge {
  /** What they say of a call; nothing where no rule decides. */
  judge: (call: AskedCall) => PolicyVerdict | undefined;
  /** Whether a rule allows this very path or command, by its name alone. */
  isAllowedByName: (call: AskedCall) => boolean;
  /** Whether the words of a command tell that it writes one of these paths, or below it. */
  writes: (call: AskedCall, paths: readonly string[]) => boolean;
}

/** What an action needs before it is done. */
export type Need = (
  | { approval: "none_needed" }
  /** `mustAsk`: it is asked about by itself, and no approval of several actions at once covers it. */
  | { approval: "needed"; mustAsk: boolean; reason?: string }
  | { approval: "policy"; reason: string }
  | { approval: "denied"; reason: string }
) & {
  /** It changes what steers Clew itself. */
  steersClew: boolean;
};

/** First what denies, then what asks, then what allows: all that an action does has to be allowed. */
export function needOf(action: PlannedAction, agent: string, rules: CallJudge): Need {
  const calls = callsOf(action, agent);
  const verdicts = calls.map((call) => rules.judge(call));
  const changesClew = calls.some((call) => isSteering(call, rules));
  const about = { steersClew: changesClew };
  const denied = verdicts.find((each) => each?.decision === "deny");
  if (denied) return { ...about, approval: "denied", reason: denied.reason };
  const asked = verdicts.find((each) => each?.decision === "ask");
  if (asked) return { ...about, approval: "needed", mustAsk: true, reason: asked.reason };
  if (!needsApproval(action)) return { ...about, approval: "none_needed" };
  const [allowed] = verdicts;
  const isAllowed = allowed && verdicts.every((each) => each?.decision === "allow");
  // What decides how Clew works is seen by a person, but where a rule was made for this very thing.
  if (isAllowed && (!changesClew || calls.every((call) => rules.isAllowedByName(call))))
    return { ...about, approval: "policy", reason: allowed.reason };
  return { ...about, approval: "needed", mustAsk: changesClew };
}

function isSteering(call: AskedCall, rules: CallJudge): boolean {
  if (call.tool === "Edit") return steersClew(call.input["file_path"] ?? "");
  return call.tool === "Bash" && rules.writes(call, steeringPaths);
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
