import { subagentModes, type SubagentMode } from "./session.ts";

/** Everything that can be configured. One table, which `config show`, the reader of the files and the docs all use. */
export interface Settings {
  sessions_dir: string;
  save: SavePolicy;
  subagent_mode: SubagentMode;
  /** Milliseconds without an entry after which an active session is paused; 0 never. */
  idle_timeout: number;
}

/** When session.md is synced and index, counters and frontmatter are brought up to date. */
export type SavePolicy = "phase" | "tool" | { everyMs: number };

export type SettingName = keyof Settings;

interface Setting<T> {
  fallback: string;
  about: string;
  /** Throws an Error with the expected form. */
  read(text: string): T;
}

export const settingTable: { [Name in SettingName]: Setting<Settings[Name]> } = {
  sessions_dir: {
    fallback: ".clew/sessions",
    about: "folder of the sessions, below the repository's root",
    read: (text) => {
      const parts = text.split("/");
      const inside = parts.every((part) => part !== "" && part !== "." && part !== "..") && parts[0] !== ".git";
      const clashes = /^\.clew(?:\/(?:index|logs|state|transcripts)(?:\/.*)?)?$/.test(text);
      if (!inside || clashes || text.includes("\0")) {
        throw new Error("must be a folder below the repository's root, such as .clew/sessions");
      }
      return text;
    },
  },
  save: {
    fallback: "phase",
    about: "when session.md is synced and the index updated: phase, tool, or an interval such as 30s",
    read: (text) => {
      if (text === "phase" || text === "tool") return text;
      const everyMs = readDuration(text);
      if (everyMs === undefined) throw new Error("must be phase, tool, or an interval such as 30s or 5m");
      return { everyMs };
    },
  },
  subagent_mode: {
    fallback: "link",
    about: "how subagents are logged unless --mode says so: inline, link or embed",
    read: (text) => {
      const mode = subagentModes.find((each) => each === text);
      if (mode === undefined) throw new Error("must be inline, link or embed");
      return mode;
    },
  },
  idle_timeout: {
    fallback: "12h",
    about: "an active session without entries for this long is paused; 0 never",
    read: (text) => {
      const ms = text === "0" ? 0 : readDuration(text);
      if (ms === undefined) throw new Error("must be a duration such as 30m, 12h or 2d, or 0");
      return ms;
    },
  },
};

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30s`, `10m`, `4h`, `2d` in milliseconds. */
function readDuration(text: string): number | undefined {
  const match = /^(\d{1,6})(s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : undefined;
}

/** Where a value comes from: the table above, a file, or nothing but a name for it. */
export interface SettingOrigin {
  name: SettingName;
  value: string;
  origin: string;
}
