import type { Json } from "../../../contract/json.ts";
import type { EngineStart } from "../engine.ts";

/** A tool that is denied is not offered to the model, also those of servers. */
export const denyAllTools: { [tool: string]: Json } = { "*": "deny" };

/**
 * In place of what the user says in the same variable. Other settings of the user's are merged with it, so that their servers are started all the
 * same; their AGENTS.md is always read.
 */
export const bareSettings: { [name: string]: Json } = {
  agent: {
    // An empty prompt would count as none.
    build: { permission: denyAllTools, tools: nothingOffered(), prompt: " " },
    // It would ask a model for the session's title.
    title: { disable: true },
  },
  tools: nothingOffered(),
  instructions: [],
};

function nothingOffered(): { [tool: string]: Json } {
  return { "*": false };
}

export const bareEnvironment: NonNullable<EngineStart["env"]> = {
  OPENCODE_DISABLE_PROJECT_CONFIG: "1",
  OPENCODE_DISABLE_CLAUDE_CODE: "1",
  OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
};
