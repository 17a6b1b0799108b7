import type { EngineRequest, EngineStart } from "../engine.ts";

/**
 * What keeps everything but the prompt from a Claude. The user's own settings still count, because they may hold the log-in; what they have
 * for the model is turned off. `--bare` would do, too, but takes no log-in of a subscription. Without attachments no `@path` of the prompt
 * is read, and a refusal is told instead of being asked again.
 */
export const bareEnvironment: NonNullable<EngineStart["env"]> = {
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  // A line of figures for Anthropic, which would be part of the system prompt.
  CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
};

const settings = { disableAllHooks: true, outputStyle: "default", language: "" };

/** Beside those of every Claude. Its session is not kept: it is not gone on with. */
export function bareOptions({ task: { model } }: Pick<EngineRequest, "task">): string[] {
  return [
    "--permission-mode=default",
    "--tools=",
    "--system-prompt=",
    "--disable-slash-commands",
    "--no-session-persistence",
    `--settings=${JSON.stringify(settings)}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
  ];
}
