import type { Json } from "../../../contract/json.ts";

/** What gives a model something beside the prompt. `apply_patch` and the user's AGENTS.md stay: nothing turns them off. */
const features = [
  "apps",
  "browser_use",
  "computer_use",
  "goals",
  "hooks",
  "image_generation",
  "memories",
  "multi_agent",
  "multi_agent_v2",
  "personality",
  "plugins",
  "shell_tool",
  "skill_search",
  "sleep_tool",
  "tool_suggest",
  "unified_exec",
  "view_image",
  "workspace_dependencies",
  "worktrees",
];

const settings = [
  "project_doc_max_bytes=0",
  "include_environment_context=false",
  "include_permissions_instructions=false",
  "include_apps_instructions=false",
  "include_collaboration_mode_instructions=false",
  "skills.include_instructions=false",
  "tools.experimental_request_user_input={enabled=false}",
  'web_search="disabled"',
  ...features.map((name) => `features.${name}=false`),
];

/** Servers of the user's are turned off by the conversation: their names must be known. */
export const bareOptions = settings.flatMap((setting) => ["-c", setting]);

/** Its thread is not kept: it is not gone on with. */
export const bareThread: { [key: string]: Json } = {
  baseInstructions: "",
  developerInstructions: "",
  ephemeral: true,
};
