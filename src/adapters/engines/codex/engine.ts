import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import { CodexConversation } from "../../../engine/codex/conversation.ts";
import type { Engine, EngineRequest } from "../engine.ts";
import type { FindEngine } from "../programs.ts";

/** What goes beyond the sandbox is asked, and answered by the agent's level. Its sandbox never lets it write to `.git`. */
const modes: Record<PermissionLevel, { sandbox: string; approvalPolicy: string }> = {
  read: { sandbox: "read-only", approvalPolicy: "on-request" },
  work: { sandbox: "workspace-write", approvalPolicy: "on-request" },
  full: { sandbox: "danger-full-access", approvalPolicy: "never" },
};

const help = "Codex is not installed: npm install -g @openai/codex puts codex on your PATH";

/** Codex, spoken to by its app server on stdin and stdout. */
export function codexEngine(find: FindEngine): Engine {
  return {
    name: "codex",
    abilities: {
      resume: true,
      structured_result: true,
      permissions: true,
      send: "joins",
      hooks: true,
      mcp: true,
      usage: "stream",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "leaves_command" },
    logIn: "run codex login, or set OPENAI_API_KEY",
    start(request) {
      const program = find("codex", help);
      if (typeof program !== "string") return program;
      return {
        command: [program, "app-server"],
        converse: (write) => new CodexConversation(opening(request), write),
      };
    },
  };
}

function opening({ task, folder, resume }: EngineRequest): ConstructorParameters<typeof CodexConversation>[0] {
  return {
    prompt: task.prompt,
    folder,
    until: task.until,
    ...(resume !== undefined && { resume }),
    thread: {
      ...modes[task.level],
      // A user's setting may let a model answer in the person's place.
      approvalsReviewer: "user",
      ...(task.model !== undefined && { model: task.model }),
      ...(task.role !== undefined && { developerInstructions: task.role }),
    },
  };
}
