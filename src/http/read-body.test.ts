import { expect, test } from "vitest";
import { readBody } from "./read-body.ts";

async function* chunks(count: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at++) yield Buffer.from("ab");
}

test("H7 a body of up to the limit is text", async () => {
  expect(await readBody(chunks(0), 4)).toEqual({ text: "" });
  expect(await readBody(chunks(2), 4)).toEqual({ text: "abab" });
});

test("D4 of a longer one the rest is dropped, and of one without end no more is read", async () => {
  expect(await readBody(chunks(3), 4)).toEqual({ problem: "too long" });
  const endless = chunks(Infinity);
  expect(await readBody(endless, 4)).toEqual({ problem: "cut off" });
  expect(await endless.next()).toEqual({ done: true, value: undefined });
});

test("H7 a letter may be cut by the edge of a chunk", async () => {
  async function* halves(): AsyncGenerator<Buffer> {
    yield Buffer.from([0xc3]);
    yield Buffer.from([0xa4]);
  }
  expect(await readBody(halves(), 4)).toEqual({ text: "ä" });
});
