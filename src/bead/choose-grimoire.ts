import { labelsOf, type Bead } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import type { Settings } from "../contract/settings.ts";

export interface ChosenGrimoire {
  name: string;
  /** Why this one, in words for a person. */
  because: string;
}

export interface GrimoireChoice {
  /** The grimoire for beads that nothing else speaks for. */
  fallback: string;
  /** Grimoires by the bead's type. */
  byType: Record<string, string>;
}

/** What the settings say about it. */
export function grimoireChoice(settings: Pick<Settings, "default_grimoire" | "grimoire_types">): GrimoireChoice {
  return { fallback: settings.default_grimoire, byType: settings.grimoire_types };
}

const prefix = "grimoire:";

/** The label `grimoire:x`, else the mapping of the bead's type, else the default. */
export function chooseGrimoire(bead: Bead, { fallback, byType }: GrimoireChoice): ChosenGrimoire {
  const grimoireLabels = new Set(labelsOf(bead).filter((label) => label.startsWith(prefix)));
  if (grimoireLabels.size > 1) {
    throw new ClewError(
      "invalid_input",
      `bead ${bead.id} has several grimoire labels: ${[...grimoireLabels].join(", ")}`,
      "keep the one that should count, or name the grimoire",
    );
  }
  const [label] = grimoireLabels;
  if (label !== undefined) return { name: label.slice(prefix.length), because: `label ${label}` };
  const type = bead.issue_type ?? "";
  if (Object.hasOwn(byType, type)) return { name: byType[type]!, because: `type ${type}` };
  return { name: fallback, because: "default" };
}
