import type { Json } from "../../contract/grimoire.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { isObject } from "../../text/is-object.ts";

/** A file that a run was started with, and that says something else by now. */
export interface ChangedDefinition {
  file: string;
  isGone: boolean;
}

/** The same definition as it stands in the files now; what is gone is undefined. */
export interface CurrentDefinition {
  file: string;
  /** Undefined also when it cannot be read any more. */
  grimoire: Json | undefined;
  isGone: boolean;
  spell: (name: string) => { file: string; text: string } | undefined;
  /** By the name of their file; those that cannot be read any more are missing. */
  agents: Record<string, Json>;
}

/** What a person may believe to have mended, though the run keeps what it was started with. */
export function changedDefinitions(
  pinned: Pick<PinnedRun, "grimoire" | "spells" | "agents">,
  now: CurrentDefinition,
): ChangedDefinition[] {
  const changed: ChangedDefinition[] = [];
  const { file, isGone } = now;
  if (isGone || sorted(now.grimoire) !== sorted(pinned.grimoire as unknown as Json)) changed.push({ file, isGone });
  for (const [name, before] of Object.entries(pinned.spells)) {
    const current = now.spell(name);
    if (!current) changed.push({ file: before.file, isGone: true });
    else if (current.text !== before.text) changed.push({ file: current.file, isGone: false });
  }
  for (const [name, before] of Object.entries(pinned.agents ?? {})) {
    const current = now.agents[name];
    if (sorted(current) !== sorted(before)) changed.push({ file: before.file, isGone: current === undefined });
  }
  return changed;
}

/** As text, whatever the order of its members. */
function sorted(value: Json | undefined): string | undefined {
  return JSON.stringify(value, (_, each: Json) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1))) : each,
  );
}
