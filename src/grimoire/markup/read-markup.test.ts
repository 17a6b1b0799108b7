import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyWorkflowText } from "../../../test/support/any-workflow.ts";
import { grimoireToMarkup } from "./grimoire-to-markup.ts";
import { readMarkup } from "./read-markup.ts";
import { readWorkflow } from "./read-workflow.ts";
import { writeMarkup } from "./write-markup.ts";
import { yamlLosses } from "./yaml-losses.ts";

const numRuns = 500;

describe("S13 workflow markup", () => {
  it("S13 any text that is read is written again byte for byte, and every problem has a line and a column in it", () => {
    fc.assert(
      fc.property(anyWorkflowText, (text) => {
        expect(writeMarkup(readMarkup(text).document)).toBe(text);
        yamlLosses(text);
        const { grimoire, problems } = readWorkflow(text, "any.md");
        const lines = text.split("\n");
        for (const { line, column, message } of problems) {
          expect(message).not.toBe("");
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual([...lines[line - 1]!].length + 1);
        }
        expect(grimoire === undefined).toBe(problems.some(({ severity }) => severity === "error"));
        if (!grimoire) return;
        const written = grimoireToMarkup(grimoire);
        expect(written.losses).toEqual([]);
        expect(readWorkflow(written.text, "any.md")).toMatchObject({ grimoire, problems: [] });
      }),
      { numRuns },
    );
  });

  it.each(["````", "~~~", "~~~~~"])("S13 a code block of %s in a node's text stays as it is in its spell", (fence) => {
    const prose = `Do it so:\n\n${fence}js\n\`\`\`\nx\n\`\`\`\n${fence}\n\nand so.\n`;
    const text = `---\ntype: workflow\n---\n## A @coder\n\n${prose}`;
    const { grimoire } = readWorkflow(text, "a.md");
    const [step] = grimoire!.steps;
    expect(step).toMatchObject({ spell: expect.stringMatching(/^Do it so:/) });
    expect((step as { spell: string }).spell.startsWith(prose)).toBe(true);
    expect(grimoireToMarkup(grimoire!).text).toContain(`## A @coder\n\n${prose}`);
  });
});
