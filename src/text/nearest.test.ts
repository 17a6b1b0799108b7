import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

describe("the nearest word", () => {
  it.each([
    ["titel", ["title", "notes"], "title"],
    ["desc", ["design", "description"], undefined],
    ["descripton", ["design", "description"], "description"],
    ["ready", ["read", "ready"], "ready"],
    ["outputs", ["out", "output"], "output"],
    ["abc", ["abcdef", "abcd"], "abcd"],
    ["x", ["y", "xy"], undefined],
  ])("of %s among %j is %s", (word, known, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });
});
