/** A trajectory, ATIF v1.7: only the fields that Clew writes. Readers refuse any other outside `extra`. */

export const atifVersion = "ATIF-v1.7";

type Extra = Record<string, unknown>;

export interface AtifToolCall {
  tool_call_id: string;
  function_name: string;
  arguments: Record<string, unknown>;
}

export interface AtifResult {
  source_call_id: string;
  content?: string;
  subagent_trajectory_ref?: { trajectory_id: string }[];
}

export interface AtifStep {
  /** From 1 on, without a gap. */
  step_id: number;
  source: "system" | "user" | "agent";
  message: string;
  timestamp?: string;
  model_name?: string;
  tool_calls?: AtifToolCall[];
  observation?: { results: AtifResult[] };
  metrics?: { cost_usd?: number; extra?: Extra };
  extra?: Extra;
}

export interface AtifTrajectory {
  schema_version: typeof atifVersion;
  session_id: string;
  trajectory_id: string;
  agent: { name: string; version: string; model_name?: string };
  steps: AtifStep[];
  final_metrics?: { total_steps: number; total_cost_usd?: number; extra?: Extra };
  subagent_trajectories?: AtifTrajectory[];
  extra?: Extra;
}
