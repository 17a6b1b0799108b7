import { mergeEngines, personalEnginePart, readEngines } from "./engine-settings.ts";
import { formatDuration, readDuration } from "../text/duration.ts";
import { defaultTimeoutsMs, grimoireName } from "./grimoire.ts";
import type { Json } from "./json.ts";
import { readPolicy } from "./policy.ts";
import { engineName } from "./run.ts";
import { isBelowRoot, isTextList, readObject } from "./setting-values.ts";
import { channelPattern, subagentModes, type SubagentMode } from "./session-values.ts";
import { parseJson } from "../text/parse-json.ts";
import { attempt } from "../text/attempt.ts";

export interface WorktreeSettings {
  /** A command line for `/bin/sh` that prepares a new worktree, in it; null when there is nothing to prepare. */
  setup: string | null;
  /** Files that a new worktree gets from the main checkout: paths or patterns below the root. */
  copy: string[];
  /** Whether the worktree of a cancelled run stays. */
  keep_cancelled: boolean;
}

/** When session.md is synced and index, counters and frontmatter are brought up to date. */
export type SavePolicy = "phase" | "tool" | { everyMs: number };

interface Setting<T> {
  fallback: string;
  about: string;
  /** It loosens protection, so that a repository cannot set it. */
  isPersonal?: true;
  /** The part of a value that loosens protection; undefined when none does. Throws as `read` does. */
  personalPart?(text: string): string | undefined;
  /** Puts the user's value and the repository's together; else the repository's alone counts. */
  merge?(user: string, repository: string): string;
  /** Throws an Error with the expected form. What is no scalar comes as JSON. */
  read(text: string): T;
}

const table = {
  sessions_dir: {
    fallback: ".clew/sessions",
    about: "folder of the sessions, below the repository's root",
    read: (text: string) => {
      const isInside = isBelowRoot(text) && !text.startsWith(".git/") && text !== ".git";
      const isReserved = /^\.clew(?:\/(?:index|logs|state|transcripts)(?:\/.*)?)?$/.test(text);
      if (!isInside || isReserved || text.includes("\0")) {
        throw new Error("must be a folder below the repository's root, such as .clew/sessions");
      }
      return text;
    },
  },
  save: {
    fallback: "phase",
    about: "when session.md is synced and the index updated: phase, tool, or an interval such as 30s",
    read: (text: string): SavePolicy => {
      if (text === "phase" || text === "tool") return text;
      const everyMs = readDuration(text, Infinity);
      if (everyMs === undefined) throw new Error("must be phase, tool, or an interval such as 30s or 5m");
      return { everyMs };
    },
  },
  channel: {
    fallback: "dev",
    about: "the channel of sessions that are started without --channel, and of runs",
    read: (text: string) => {
      const channel = text.replace(/^#/, "");
      if (!channelPattern.test(channel) || channel.length > 200 || /^[[{]/.test(channel))
        throw new Error("must be one word, such as dev");
      return channel;
    },
  },
  subagent_mode: {
    fallback: "link",
    about: "how subagents are logged unless --mode says so: inline, link or embed",
    read: (text: string): SubagentMode => {
      const mode = subagentModes.find((each) => each === text);
      if (mode === undefined) throw new Error("must be inline, link or embed");
      return mode;
    },
  },
  idle_timeout: {
    fallback: "12h",
    about: "an active session without entries for this long is paused; 0 never",
    read: (text: string) => {
      const ms = text === "0" ? 0 : readDuration(text, Infinity);
      if (ms === undefined) throw new Error("must be a duration such as 30m, 12h or 2d, or 0");
      return ms;
    },
  },
  default_grimoire: {
    fallback: "implement-bead",
    about: "the grimoire for beads without a grimoire label or a mapped type",
    read: readGrimoireName,
  },
  grimoire_types: {
    fallback: "{}",
    about: "grimoires by bead type, such as {bug: fix-bug}",
    read: readGrimoireTypes,
  },
  engine: {
    fallback: "claude",
    about: "the engine of agent steps where neither the command, the step nor its agent names one",
    read: (text: string) => {
      if (!engineName.test(text)) throw new Error("must be the name of an engine, such as claude");
      return text;
    },
  },
  engines: {
    fallback: "{}",
    about: "settings of single engines, such as {scripted: {script: demo.yaml}}; programs only in your own settings",
    personalPart: personalEnginePart,
    merge: mergeEngines,
    read: readEngines,
  },
  run_timeout: timeout(defaultTimeoutsMs.run, "a run"),
  agent_timeout: timeout(defaultTimeoutsMs.agent, "an agent step"),
  script_timeout: timeout(defaultTimeoutsMs.script, "a script step"),
  permission_wait: {
    fallback: "30m",
    about: "how long an agent waits for a permission before it is stopped and its run is blocked",
    read: readTimeout,
  },
  repair_results: {
    fallback: "false",
    about: "whether an agent of clew work may correct a wrong final result once, before the hard stop",
    read: readYesOrNo,
  },
  context_budget: {
    fallback: "150000",
    about: "how much clew session plan may send, in tokens",
    read: (text: string) => {
      const tokens = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      if (tokens < 1000) throw new Error("must be a number of tokens, at least 1000");
      return tokens;
    },
  },
  turn_memos: {
    fallback: "ask",
    about: "what becomes of memo changes in plans: ask, accept or reject; accept counts only in your own settings",
    personalPart: (text: string) => (text === "accept" ? "turn_memos" : undefined),
    read: (text: string) => {
      const answer = (["ask", "accept", "reject"] as const).find((each) => each === text);
      if (answer === undefined) throw new Error("must be ask, accept or reject");
      return answer;
    },
  },
  execute_timeout: {
    fallback: "5m",
    about: "how long a command of a plan may take when the plan does not say",
    read: readTimeout,
  },
  research_private: {
    fallback: "false",
    about: "whether plans may fetch pages of this machine and of private networks; only in your own settings",
    isPersonal: true,
    read: readYesOrNo,
  },
  max_concurrent_agents: {
    fallback: "3",
    about: "how many runs clew daemon lets be worked on at once",
    read: (text: string) => {
      const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
      if (count < 1 || count > 64) throw new Error("must be a whole number from 1 to 64");
      return count;
    },
  },
  policy: {
    fallback: "[]",
    about: "rules about what agents may do, such as [{command: git push …, decide: deny}]; see docs/POLICY.md",
    merge: (user: string, repository: string) =>
      JSON.stringify([...(JSON.parse(user) as Json[]), ...(JSON.parse(repository) as Json[])]),
    read: readPolicy,
  },
  worktree: {
    fallback: "{}",
    about: "how worktrees of runs are made and kept, such as {setup: npm ci, copy: [.env]}",
    read: readWorktree,
  },
  allow_linked_clew: {
    fallback: "false",
    about: "whether .clew and the sessions folder may be links out of the repository; only in your own settings",
    isPersonal: true,
    read: readYesOrNo,
  },
  allow_full_agents: {
    fallback: "false",
    about: "whether agent files of a repository may say level: full; only in your own settings",
    isPersonal: true,
    read: readYesOrNo,
  },
  allow_outside_beads: {
    fallback: "false",
    about:
      "whether beads may be written where BEADS_DIR or .beads/redirect leads out of the repository; only in your own settings",
    isPersonal: true,
    read: readYesOrNo,
  },
} satisfies Record<string, Setting<unknown>>;

/** Everything that can be configured, with its type: what `read` returns. Durations are in milliseconds. */
export type Settings = { [Name in keyof typeof table]: ReturnType<(typeof table)[Name]["read"]> };
export type SettingName = keyof Settings;

/** One table, which `config show`, the reader of the files and the docs all use. */
export const settingTable: { [Name in SettingName]: Setting<Settings[Name]> } = table;

/** The part of a setting that only the user's own file may have; undefined when there is none, or when the value is wrong. */
export function personalPart(name: SettingName, text: string): string | undefined {
  const setting = settingTable[name];
  if (setting.isPersonal) return name;
  return attempt(() => setting.personalPart?.(text), undefined);
}

function readYesOrNo(text: string): boolean {
  if (text !== "true" && text !== "false") throw new Error("must be true or false");
  return text === "true";
}

function timeout(fallbackMs: number, what: string): Setting<number> {
  return {
    fallback: formatDuration(fallbackMs),
    about: `how long ${what} may take when its grimoire does not say`,
    read: readTimeout,
  };
}

function readTimeout(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined) throw new Error("must be a duration such as 30m or 2h, at most 30d");
  return ms;
}

function readWorktree(text: string): WorktreeSettings {
  const expected = "must be settings of worktrees, such as {setup: npm ci, copy: [.env], keep_cancelled: true}";
  const { setup = null, copy = [], keep_cancelled = true, ...unknownSettings } = readObject(text, expected);
  const isSetup = setup === null || (typeof setup === "string" && /\S/.test(setup) && !setup.includes("\0"));
  if (!isSetup || !isTextList(copy) || typeof keep_cancelled !== "boolean" || Object.keys(unknownSettings).length > 0) {
    throw new Error(expected);
  }
  if (!copy.every((path) => isBelowRoot(path) && !/(?:^|\/)\.(?:git|worktrees)(?:\/|$)|\0/.test(path))) {
    throw new Error("worktree.copy must name paths below the repository's root, such as .env or config/*.local");
  }
  return { setup, copy, keep_cancelled };
}

function readGrimoireName(text: string): string {
  if (!grimoireName.test(text)) throw new Error("must be the name of a grimoire, such as implement-bead");
  return text;
}

function readGrimoireTypes(text: string): Record<string, string> {
  const expected = "must map types of beads to grimoires, such as {bug: fix-bug}";
  const entries = Object.entries(readObject(text, expected));
  if (!entries.every(([, name]) => typeof name === "string" && grimoireName.test(name))) throw new Error(expected);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** A value with its type: a number, true or false, or a mapping where the setting is one; else the text. */
export function settingValue(name: SettingName, text: string): Json {
  return parseJson(settingTable[name].fallback) === undefined ? text : (JSON.parse(text) as Json);
}

/** Where a value comes from: the table above, a file, or nothing but a name for it. */
export interface SettingOrigin {
  name: SettingName;
  value: string;
  origin: string;
}
