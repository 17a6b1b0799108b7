import { expect, test } from "vitest";
import { assumeRedacted, type Redacted } from "../contract/redacted.ts";
import { holdsSecret, redactValue } from "./redact-value.ts";
import { createRedactor } from "./redactor.ts";

const redact = (text: string): Redacted<string> => assumeRedacted(text.replaceAll("secret", "[redacted]"));

test("D7 every text of a value is redacted, whatever its key is called", () => {
  const value = { status: "secret", kind: ["secret", { name: "a secret", n: 1, yes: true, no: null }] };
  expect(redactValue(value, redact)).toEqual({
    status: "[redacted]",
    kind: ["[redacted]", { name: "a [redacted]", n: 1, yes: true, no: null }],
  });
  expect(value.status).toBe("secret");
});

test("D7 what holds no secret is not copied, and a key called __proto__ stays a key", () => {
  const value = { a: { b: "fine", list: ["fine", [1, { c: [] }]] } };
  expect(redactValue(value, redact)).toBe(value);
  const hostile = JSON.parse('{"__proto__": "secret", "a": "secret"}') as object;
  expect(JSON.stringify(redactValue(hostile, redact))).toBe('{"__proto__":"[redacted]","a":"[redacted]"}');
});

test("D7 a name gives its value away, as it would in a text", () => {
  const { redact: real } = createRedactor({});
  const password = `S3cr3t${"Pass9".repeat(3)}`;
  const value = { db_password: password, list: [{ db_password: password }], plain: password.slice(0, 6) };
  expect(JSON.stringify(redactValue(value, real))).not.toContain(password);
  expect(redactValue({ plain: "fine" }, real)).toEqual({ plain: "fine" });
});

test("G16 what JSON cannot hold is replaced before it is used, so that it is the same live and on replay", () => {
  const value = { a: JSON.parse("1e999") as number, b: -0, c: [NaN, 1.5] };
  const kept = redactValue(value, redact);
  expect(kept).toEqual({ a: null, b: 0, c: [null, 1.5] });
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
});

test("D7 only a redaction makes a secret of a value", () => {
  for (const value of [-0, NaN, "\ud800", ["\ud800", -0], { a: [undefined, -0] }, [], undefined]) {
    expect([value, holdsSecret(value, redact)]).toEqual([value, false]);
  }
  for (const value of ["secret", [["secret"]], { secret: 1 }, { a: ["\ud800", "a secret"] }]) {
    expect([value, holdsSecret(value, redact)]).toEqual([value, true]);
  }
});
