import { statusOf, type Bead } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import { allSteps, type Grimoire, type Json } from "../contract/grimoire.ts";
import type { PinnedRun } from "../contract/run.ts";
import type { Handlers } from "../run/handlers.ts";

/** Replaces secrets in every text of a value; what holds none is given back as it is. */
export type RedactValue = <T>(value: T) => T;

/**
 * Redacted once, here, so that a run that is resumed sees the very same values. Scripts and variables that would not be
 * what their author wrote are refused instead.
 */
export function withoutSecrets(pinned: PinnedRun, redact: RedactValue): PinnedRun {
  const { grimoire, variables, bead, spells } = pinned;
  if (redact(bead.id) !== bead.id) throw secretIn("invalid_input", "the id of the bead");
  for (const step of allSteps(grimoire.steps)) {
    const { steps: _, ...own } = { steps: [], ...step };
    if (redact(own) !== own) throw secretIn("invalid_grimoire", `step ${step.name} of ${grimoire.name}`);
  }
  refuseSecrets(variables, "--var", redact);
  return { ...pinned, bead: redact(bead), spells: redact(spells) };
}

/** Names count: a value that says nothing by itself may be a password by its name. */
export function refuseSecrets(values: Record<string, Json>, flag: string, redact: RedactValue): void {
  for (const [name, value] of Object.entries(values)) {
    const named = JSON.stringify({ [name]: value });
    const redacted = JSON.stringify(redact({ [name]: value }));
    if (redacted !== named) throw secretIn("invalid_input", `${flag} ${name}`);
  }
}

export function refuseClosed(bead: Bead): void {
  if (statusOf(bead) !== "closed") return;
  const why = typeof bead["close_reason"] === "string" ? `: ${bead["close_reason"]}` : "";
  throw new ClewError(
    "not_possible_now",
    `bead ${bead.id} is closed${why}`,
    `clew bead update ${bead.id} --status open opens it again`,
  );
}

/** What cannot be done is told before anything is done. */
export function refuseImpossible(
  { grimoire, settings }: PinnedRun,
  { engines, handlers }: { engines: readonly string[]; handlers: Handlers },
): void {
  const step = [...allSteps(grimoire.steps)].find(({ type }) => type !== "loop" && !handlers[type]);
  if (step) {
    throw new ClewError(
      "not_available",
      `step ${step.name} of ${grimoire.name} is a ${step.type} step, which this version cannot run yet`,
      "clew grimoire preview shows what it would do; a copy in .clew/grimoires/ without that step can run",
    );
  }
  const unknown = enginesOf(grimoire, settings.engine).find((name) => !engines.includes(name));
  if (unknown === undefined) return;
  throw new ClewError(
    "unknown_engine",
    `there is no engine ${unknown} in this version`,
    `there ${engines.length === 1 ? "is" : "are"} ${engines.join(", ")}: clew run BEAD --engine ${engines[0]}`,
  );
}

function enginesOf({ steps }: Grimoire, fallback: string): string[] {
  return [...allSteps(steps)].flatMap((step) => (step.type === "agent" ? [step.engine ?? fallback] : []));
}

function secretIn(code: "invalid_grimoire" | "invalid_input", where: string): ClewError {
  return new ClewError(
    code,
    `${where} holds what looks like a secret, and a run would write it down`,
    "put it into the environment, and let the step read it from there: $NAME",
  );
}
