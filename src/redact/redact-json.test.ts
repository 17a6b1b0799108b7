import { expect, test } from "vitest";
import { redactJson } from "./redact-json.ts";

const redact = (text: string): string => text.replaceAll("secret", "[redacted]");

test("D7 every text of a value is redacted, whatever its key is called", () => {
  const value = { status: "secret", kind: ["secret", { name: "a secret", n: 1, yes: true, no: null }] };
  expect(redactJson(value, redact)).toEqual({
    status: "[redacted]",
    kind: ["[redacted]", { name: "a [redacted]", n: 1, yes: true, no: null }],
  });
  expect(value.status).toBe("secret");
});

test("D7 what holds no secret is not copied, and a key called __proto__ stays a key", () => {
  const value = { a: { b: "fine" } };
  expect(redactJson(value, redact)).toBe(value);
  const hostile = JSON.parse('{"__proto__": "secret", "a": "secret"}') as object;
  expect(JSON.stringify(redactJson(hostile, redact))).toBe('{"__proto__":"[redacted]","a":"[redacted]"}');
});
