import { expect, test } from "vitest";
import { streamOf } from "./stream.ts";

test("all that was told comes, in order, before the end and before what is thrown", async () => {
  const seen: number[] = [];
  const stream = streamOf<number, string>(async (tell) => {
    for (let n = 0; n < 5; n++) {
      tell(n);
      if (n % 2 === 0) await Promise.resolve();
    }
    throw new Error("broken");
  });
  const read = async (): Promise<void> => {
    for await (const n of stream) seen.push(n);
  };
  await expect(read()).rejects.toThrow("broken");
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});

test("gives what the work gives", async () => {
  const stream = streamOf<never, string>(async () => "done");
  expect(await stream.next()).toEqual({ done: true, value: "done" });
});

test("whoever leaves stops the work, and waits for its end", async () => {
  const acts: string[] = [];
  const stream = streamOf<string, void>(async (tell, signal) => {
    tell("begun");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 5));
    acts.push("ended");
  });
  for await (const item of stream) {
    acts.push(item);
    break;
  }
  expect(acts).toEqual(["begun", "ended"]);
});

test("an abort keeps its reason", async () => {
  const stop = new AbortController();
  let reason: unknown;
  const stream = streamOf<string, void>(async (tell, signal) => {
    signal.addEventListener("abort", () => (reason = signal.reason as unknown));
    tell("begun");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  }, stop.signal);
  await stream.next();
  stop.abort("Ctrl-C");
  expect(await stream.next()).toMatchObject({ done: true });
  expect(reason).toBe("Ctrl-C");
});
