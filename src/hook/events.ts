import { hookEngines, hookEvents, type HookEngine, type HookEvent } from "../contract/hook.ts";

/** What Gemini calls them. Its `PreCompress` comes before each call of a model, so that it tells of no compaction. */
const otherNames: Record<string, HookEvent> = {
  beforetool: "PreToolUse",
  aftertool: "PostToolUse",
  beforeagent: "UserPromptSubmit",
  afteragent: "Stop",
};

const byLetters = new Map<string, HookEvent>([
  ...hookEvents.map((event) => [event.toLowerCase(), event] as const),
  ...Object.entries(otherNames),
]);

/** `PreToolUse` as `pre-tool-use`: how commands and paths name it. */
export function kebabOf(event: string): string {
  return event.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : "-"}${letter.toLowerCase()}`);
}

/** The event that a word names, in kebab-case or by an engine's own name. One that is not known keeps its name. */
export function eventOf(word: string): string {
  const letters = word.replace(/[-_]/g, "").toLowerCase();
  return byLetters.get(letters) ?? (/^[A-Za-z][\w-]{0,63}$/.test(word) ? word : "Unknown");
}

/** The engine that sent a payload: as it was named, or by what only that one sends. */
export function engineOf(named: string | undefined, fields: Record<string, unknown>): HookEngine {
  const byName = hookEngines.find((engine) => engine === named);
  if (byName) return byName;
  const path = fields["transcript_path"];
  const byPath = hookEngines.find((engine) => typeof path === "string" && path.includes(`/.${engine}/`));
  if (byPath) return byPath;
  if (typeof fields["turn_id"] === "string") return "codex";
  if (typeof fields["tool_call_id"] === "string") return "qwen";
  const name = fields["hook_event_name"];
  if (typeof name === "string" && /^(?:Before|After|PreCompress)/.test(name)) return "gemini";
  return "claude";
}
