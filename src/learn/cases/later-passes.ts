import { callKey, isReader } from "./call-key.ts";
import { cutOffCalls } from "./cut-off-calls.ts";
import type { PlacedSession } from "./placed-session.ts";

/** Further away, the same call is no retry of the failed one. */
const retryWithin = 100;

/** For each failed call: where the same thing was tried again and passed. Looks at each call once. */
export class LaterPasses {
  readonly #passOf = new Map<number, number>();
  readonly #session: PlacedSession;

  constructor(session: PlacedSession) {
    this.#session = session;
    const failures = new Set<string>();
    for (const { entry } of session.entries) if (entry.kind === "tool" && entry.failed) failures.add(callKey(entry));
    if (failures.size === 0) return;
    const cutOff = cutOffCalls(session);
    const nextPass = new Map<string, number>();
    for (let at = session.entries.length - 1; at >= 0; at--) {
      const { entry } = session.entries[at]!;
      if (entry.kind !== "tool" || cutOff.has(at)) continue;
      const key = callKey(entry);
      if (!failures.has(key)) continue;
      const pass = nextPass.get(key);
      if (!entry.failed) nextPass.set(key, at);
      else if (pass !== undefined) this.#passOf.set(at, pass);
    }
  }

  of(failure: number): number | undefined {
    return this.#passOf.get(failure);
  }

  /** Whether the very same call passed, and nothing that could have mended it was done in between. */
  isUnchangedRetry(failure: number): boolean {
    const { entries } = this.#session;
    const failed = entries[failure]!.entry;
    const pass = this.of(failure);
    const passed = pass === undefined ? undefined : entries[pass]!.entry;
    if (
      pass === undefined ||
      pass > failure + retryWithin ||
      failed.kind !== "tool" ||
      passed?.kind !== "tool" ||
      passed.args !== failed.args
    )
      return false;
    for (let at = failure + 1; at < pass; at++) {
      const { entry } = entries[at]!;
      if (entry.kind === "user" || entry.kind === "subagent") return false;
      if (entry.kind === "error" && entry.resolution !== undefined) return false;
      if (entry.kind === "tool" && !isReader(entry) && !(entry.name === failed.name && entry.args === failed.args))
        return false;
    }
    return true;
  }
}
