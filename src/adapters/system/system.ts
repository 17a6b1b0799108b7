import { readFileSync } from "node:fs";
import type { Clock, Ids } from "../../app/session/ports.ts";

export const systemClock: Clock = { now: () => Date.now() };

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** Ids of 32 letters that cannot be confused with each other, five bits each. */
export const systemIds: Ids = {
  random(length) {
    const { randomBytes } = process.getBuiltinModule("node:crypto");
    return Array.from(randomBytes(length), (byte) => letters[byte & 31]).join("");
  },
};

/** A random id that is long enough to be the only one of its kind. */
export const newId = (): string => systemIds.random(20);

/** Resolves after this time, or as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}

/** Names this run of the machine: another name after every start. Two names for one run only cost time. */
export function bootName(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    const { uptime } = process.getBuiltinModule("node:os");
    return `since-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}
