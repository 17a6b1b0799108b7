export type EngineName = "claude" | "codex" | "gemini" | "opencode" | "qwen";
export const engineNames: readonly EngineName[];
export function installEngine(name: EngineName): Promise<string>;
