import type { Redacted } from "../../contract/redacted.ts";
import type { SettingName } from "../../contract/settings.ts";

/** A setting that was written. */
export interface SetSetting {
  name: SettingName;
  /** What the whole setting says now. */
  value: string;
  /** What the file said before; null when it said nothing. */
  before: string | null;
  file: string;
  /** The repository's file, where it goes before the user's one that was written to. */
  overridden_by: string | null;
}

/** The files of settings, also when something in them is wrong. */
export interface SettingFiles {
  /**
   * Writes one setting, checked, with everything else in the file as it was. `key` is its name, or that of a part:
   * `worktree.setup`. Throws a ClewError with nothing written.
   */
  set(key: string, value: string, where: "user" | "repository"): Promise<SetSetting>;
}

/** Where settings are written. */
export interface SettingStore {
  userFile: string;
  /** The setting that a key names, or a part of. Throws when there is none. */
  nameOf(key: string): SettingName;
  write(key: string, value: Redacted<string>, where: "user" | "repository"): Promise<Omit<SetSetting, "overridden_by">>;
  /** The repository's file, when it says something about a setting; null also outside a repository. */
  repositoryFileWith(name: SettingName): Promise<string | null>;
}
