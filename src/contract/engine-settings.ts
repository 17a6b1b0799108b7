import { engineName } from "./run.ts";
import { isBelowRoot, isTextList, readObject } from "./setting-values.ts";
import { isObject } from "../text/is-object.ts";

/** By the engine's name. */
export interface EngineSettings {
  [engine: string]: {
    /** What the engine `scripted` plays, below the repository's root. */
    script?: string;
    /** The file of the engine's program. */
    program?: string;
    /** The command that starts an agent of the user's own, which speaks ACP. */
    acp?: string[];
  };
}

/** The engines that come with Clew. */
export const ownEngines = ["claude", "codex", "gemini", "opencode", "qwen", "scripted"] as const;

/** What their makers call those that are programs of others. */
export const engineTitles: Readonly<Record<string, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "opencode",
  qwen: "Qwen Code",
};

/** All engines that these settings know: those that come with Clew, and the user's own. */
export function engineNames(settings: EngineSettings): string[] {
  return [...ownEngines, ...Object.keys(settings).filter((name) => settings[name]?.acp)];
}

export function readEngines(text: string): EngineSettings {
  const expected =
    "must be settings by engine, such as {scripted: {script: demo.yaml}, gemini: {program: /opt/gemini/bin/gemini}}";
  const engines = readObject(text, expected);
  for (const [name, settings] of Object.entries(engines)) {
    if (!isObject(settings)) throw new Error(expected);
    const problem = engineProblem(name, settings);
    if (problem !== undefined) throw new Error(`${problem}; it ${expected}`);
  }
  return engines as EngineSettings;
}

/** What is wrong with the settings of one engine. */
function engineProblem(name: string, settings: Record<string, unknown>): string | undefined {
  const { script, program, acp, ...others } = settings;
  const isOwn = ownEngines.some((own) => own === name);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `${name} has no setting ${unknown}`;
  if (!engineName.test(name)) return `${JSON.stringify(name)} cannot be the name of an engine`;
  if (script !== undefined && (name !== "scripted" || typeof script !== "string" || !isBelowRoot(script))) {
    return `${name}.script: only scripted has one, and it must stand below the repository's root`;
  }
  if (program !== undefined && (!isOwn || typeof program !== "string" || !/^\/[^\0]*$/.test(program))) {
    return `${name}.program must be the whole path of the program of an engine that Clew knows`;
  }
  if (acp !== undefined && (isOwn || !isCommand(acp))) {
    return `${name}.acp must be a command as a list of words, under a name that no engine of Clew's has`;
  }
  return isOwn || acp !== undefined ? undefined : `${name} needs acp, the command that starts it`;
}

function isCommand(value: unknown): boolean {
  return isTextList(value) && value.length > 0 && value[0] !== "" && value.every((word) => !word.includes("\0"));
}

/** What names a program to start: a repository must not. */
export function personalEnginePart(text: string): string | undefined {
  for (const [name, settings] of Object.entries(readEngines(text))) {
    const key = (["acp", "program"] as const).find((each) => settings[each] !== undefined);
    if (key !== undefined) return `engines.${name}.${key}`;
  }
  return undefined;
}

/** The repository's settings of an engine go before the user's, one by one. */
export function mergeEngines(user: string, repository: string): string {
  const [own, shared] = [readEngines(user), readEngines(repository)];
  const names = new Set([...Object.keys(own), ...Object.keys(shared)]);
  return JSON.stringify(Object.fromEntries([...names].map((name) => [name, { ...own[name], ...shared[name] }])));
}
