import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import { describe, expect, test } from "vitest";
import { pem, planted } from "./fixtures/planted.ts";
import { createRedactor } from "./redactor.ts";

const preset = "@secretlint/secretlint-rule-preset-recommend";
const allows = ["/\\[redacted:[^\\]]+\\]/"];
const rules = [
  // Ids of keys are a matter of taste to it; to us they are not.
  { id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } },
  // These take any text at that place for a secret: the marks are made known to them.
  { id: "@secretlint/secretlint-rule-database-connection-string", options: { allows } },
  { id: "@secretlint/secretlint-rule-npm", options: { allows } },
];

async function findings(content: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { content, filePath: "session.md", ext: ".md", contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules: [{ id: preset, rule: creator, rules }] } },
  });
  return messages.map(({ message }) => message);
}

const redactor = createRedactor({});

describe("D7 secretlint as a second opinion", () => {
  test.each(planted.filter(({ known }) => known))("D7 it finds $id before, and nothing after", async ({ text }) => {
    expect(await findings(text)).not.toEqual([]);
    expect(await findings(redactor.redact(text))).toEqual([]);
  });

  test("D7 it finds a service account's key before, and nothing after", async () => {
    const account = JSON.stringify({ type: "service_account", private_key_id: "1", private_key: pem(1600, "") });
    expect(await findings(account)).not.toEqual([]);
    expect(await findings(redactor.redact(account))).toEqual([]);
  });

  test("D7 it finds nothing in all planted texts together after redaction", async () => {
    const all = planted.map(({ text }) => text).join("\n\n");
    expect((await findings(all)).length).toBeGreaterThan(30);
    expect(await findings(redactor.redact(all))).toEqual([]);
  });
});
