/** The engines whose transcripts can be imported. */
export const importedEngines = ["claude", "codex", "gemini", "qwen", "opencode"] as const;
export type ImportedEngine = (typeof importedEngines)[number];
