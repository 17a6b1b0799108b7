import type { EngineStart } from "../engine.ts";

/**
 * Settings of the empty folder, which go before the user's own; those for the whole system are read only from folders that nobody else can
 * write to, which a temporary one never is. The user's GEMINI.md is always read: `context.fileName` only adds names to it.
 */
const settings = {
  tools: { core: [], discoveryCommand: "", callCommand: "" },
  // It looks for instructions no higher than where this stands.
  context: { includeDirectoryTree: false, memoryBoundaryMarkers: [".gemini"] },
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
  general: { plan: { enabled: false } },
};

/** No extension and no server has these names. */
export const bareOptions = ["--extensions=none", "--allowed-mcp-server-names=none"];

export const bareStart: Required<Pick<EngineStart, "env" | "files">> = {
  // The folder is Clew's own, and its settings count only where it is trusted.
  env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  files: [
    { name: ".gemini/settings.json", content: JSON.stringify(settings) },
    { variable: "GEMINI_SYSTEM_MD", name: "system.md", content: "" },
  ],
};
