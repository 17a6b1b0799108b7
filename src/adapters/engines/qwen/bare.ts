import type { EngineRequest, StartFile } from "../engine.ts";

/** Tools that are offered whatever `core` says. */
const otherTools = [
  "agent",
  "ask_user_question",
  "enter_worktree",
  "exit_worktree",
  "get_goal",
  "list_agents",
  "report_findings",
  "send_message",
  "skill",
  "task_stop",
  "tool_call",
  "tool_search",
  "update_goal",
];

/** Settings of the empty folder, which go before the user's own. `--bare` and `--safe-mode` would leave tools that nothing turns off. */
const settings = {
  disableAllHooks: true,
  tools: { core: ["none"], disabled: otherTools, exclude: otherTools, toolSearch: { enabled: false } },
  context: { fileName: "none", includeDirectories: [], loadFromIncludeDirectories: false },
  skills: { disabledLevels: ["project", "user", "extension", "bundled"] },
  memory: {
    enableManagedAutoMemory: false,
    enableManagedAutoDream: false,
    enableTeamMemory: false,
    enableAutoSkill: false,
  },
  ui: { enableFollowupSuggestions: false },
};

export const bareFiles: readonly StartFile[] = [{ name: ".qwen/settings.json", content: JSON.stringify(settings) }];

/** Its session is not kept: it is not gone on with. */
export function bareOptions({ task: { model } }: Pick<EngineRequest, "task">): string[] {
  return [
    "--approval-mode=default",
    // An empty one would count as none.
    "--system-prompt= ",
    "--core-tools=none",
    // No extension and no server has these names.
    "--extensions=none",
    "--allowed-mcp-server-names=none",
    "--chat-recording=false",
    "--output-style=default",
    ...(model === undefined ? [] : [`--model=${model}`]),
  ];
}
