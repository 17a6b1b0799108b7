import { assumeRedacted, type Redact } from "../../contract/redacted.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noise, pem } from "../../redact/fixtures/planted.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { redactEvent, redactLine } from "./redact-event.ts";

const { redact } = createRedactor({});
const token = `ghp_${noise(36)}`;

test("D7 every text of an event is redacted, at any depth and in names too", () => {
  const event = redactEvent(
    { type: "tool_call", id: "1", name: "Bash", input: { [token]: [{ deep: `see ${token}` }], n: 1, ok: null } },
    redact,
  );
  const mark = "[redacted:github-token]";
  expect(event).toEqual({
    type: "tool_call",
    id: "1",
    name: "Bash",
    input: { [mark]: [{ deep: `see ${mark}` }], n: 1, ok: null },
  });
});

test("D7 a line is redacted as a whole: names give values away, keys may have many lines", () => {
  const password = noise(14);
  const line = JSON.stringify({ type: "user", input: { password }, text: `key:\n${pem(600)}\nend` });
  const redacted = redactLine(line, redact);
  expect(redacted).not.toContain(password);
  expect(JSON.parse(redacted)).toMatchObject({
    text: expect.stringMatching(/^key:\n\[redacted:[^\]]*\]\nend$/) as string,
  });
});

test("D7 a line whose JSON a mark would break is redacted text by text", () => {
  const greedy: Redact = (text) => assumeRedacted(text.replace(/secret"?\}?/g, "X"));
  expect(redactLine('{"a":"my secret"}', greedy)).toBe('{"a":"my X"}');
  expect(redactLine("no JSON, a secret", greedy)).toBe("no JSON, a X");
});

test.each(["claude", "qwen"])("D7 what %s really printed stays as it came", (engine) => {
  const file = join(import.meta.dirname, "../../../test/fixtures/engines", `${engine}.stream.jsonl`);
  for (const line of readFileSync(file, "utf8").split("\n")) expect(redactLine(line, redact)).toBe(line);
});

test("D7 a line without secrets stays as it came", () => {
  const line = '{ "type" : "user" , "n": 1.0 }';
  expect(redactLine(line, redact)).toBe(line);
});

test("D7 a secret whose letters are written as escapes is found in a line, too", () => {
  const hidden: Redact = (text) => assumeRedacted(text.replaceAll("secret", "X"));
  expect(redactLine('{"a":"my \\u0073ecret"}', hidden)).toBe('{"a":"my X"}');
  expect(redactLine('{"a":"caf\\u00e9"}', hidden)).toBe('{"a":"caf\\u00e9"}');
});
