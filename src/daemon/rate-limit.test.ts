import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.ts";

/** How many of so many requests at once are let in. */
function letIn(rate: RateLimit, client: string | object, requests: number): number {
  return Array.from({ length: requests }, () => {
    try {
      rate.take(client);
      return true;
    } catch {
      return false;
    }
  }).filter(Boolean).length;
}

test("D4 a client may ask a thousand times at once and 200 times a second; others have stores of their own", () => {
  let nowMs = 0;
  const rate = new RateLimit(() => nowMs);
  const connection = {};
  expect(letIn(rate, connection, 1_500)).toBe(1_000);
  expect([letIn(rate, {}, 1), letIn(rate, "token", 1), letIn(rate, connection, 1)]).toEqual([1, 1, 0]);
  nowMs += 500;
  expect(letIn(rate, connection, 1_500)).toBe(100);
  nowMs += 60_000;
  expect(letIn(rate, connection, 1_500)).toBe(1_000);
  expect(letIn(rate, "token", 1_500)).toBe(1_000);
});

test("D4 of tokens only so many are remembered", () => {
  const rate = new RateLimit(() => 0);
  letIn(rate, "first", 1_500);
  for (let at = 0; at < 1_000; at++) rate.take(`token-${at}`);
  expect(letIn(rate, "first", 1)).toBe(1);
});
