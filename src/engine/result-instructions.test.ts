import { expect, test } from "vitest";
import { withoutResultInstructions, withResultInstructions } from "./result-instructions.ts";

test("W8 a prompt ends with how to finish, and can be had without it", () => {
  const prompt = withResultInstructions("Mend the roof.\n");
  expect(prompt).toMatch(/^Mend the roof\.\n\n---\n[^]*"success"[^]*"summary"[^]*"outputs"/);
  expect(withoutResultInstructions(prompt)).toBe("Mend the roof.");
  expect(withoutResultInstructions("Mend the roof.\n")).toBe("Mend the roof.\n");
});

test("W8 a spell that shows the form itself is left as it is", () => {
  const prompt = 'Mend the roof. Then say {"success": true, "summary": "…"}.';
  expect(withResultInstructions(prompt)).toBe(prompt);
});
