import type { RunChanges } from "../../contract/api/run.ts";
import type { PinnedRun, RunSettings } from "../../contract/pinned-run.ts";
import type { WorktreeSettings } from "../../contract/settings.ts";
import { filesChangedSince, type GrimoireParts } from "../grimoire/grimoires.ts";

/** What a run that began now would be pinned to. */
export interface SettingsNow {
  run: RunSettings;
  worktree: WorktreeSettings;
  /** Where the script of the scripted engine comes from: a setting, or the environment. */
  scriptFrom: string;
}

interface Parts {
  grimoires: GrimoireParts;
  settingsNow: () => Promise<SettingsNow>;
}

/** What says something else than when the run began; of settings, those that a failed step most often asks for. */
export async function changesSince(pinned: PinnedRun, { grimoires, settingsNow }: Parts): Promise<RunChanges> {
  const { run, worktree, scriptFrom } = await settingsNow();
  const isOtherScript = run.script !== null && run.script !== pinned.settings.script;
  const isOtherSetup = pinned.worktree !== undefined && pinned.worktree.setup !== worktree.setup;
  const files = await filesChangedSince(grimoires, pinned);
  return {
    settings: [...(isOtherScript ? [scriptFrom] : []), ...(isOtherSetup ? ["worktree.setup"] : [])],
    files: files.map(({ file, isGone }) => ({ file, is_gone: isGone })),
  };
}
