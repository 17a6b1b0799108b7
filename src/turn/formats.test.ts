import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readMemos } from "./memos/read-memos.ts";
import { readPlan } from "./plan/read-plan.ts";
import { readReport } from "./report/read-report.ts";
import { writeReport } from "./report/write-report.ts";
import { actionTypes } from "../contract/plan.ts";
import { keyForms } from "./plan/action-keys.ts";

/** A page about a format, and its first example. */
function pageOf(name: string, language: string): { page: string; example: string } {
  const page = readFileSync(new URL(`../../docs/formats/${name}.md`, import.meta.url), "utf8");
  const [, rest = ""] = page.split(`\n\`\`\`${language}\n`);
  return { page, example: rest.slice(0, rest.indexOf("\n```\n") + 1) };
}

it("T4 the page about plans has an example of every type, and names every key", () => {
  const { page, example } = pageOf("plan", "markdown");
  const { plan, problems } = readPlan(example);
  expect(problems).toEqual([]);
  expect(new Set(plan!.actions.map(({ type }) => type))).toEqual(new Set(actionTypes));
  for (const key of Object.keys(keyForms)) expect(page).toContain(`\`${key}\``);
});

it("T5 the page about reports has one in its fixed form", () => {
  const { example } = pageOf("report", "yaml");
  const { report, problems } = readReport(example);
  expect(problems).toEqual([]);
  expect(writeReport(report!)).toBe(example);
});

it("T6 the page about memos has a list of them", () => {
  expect(readMemos(pageOf("memos", "yaml").example).memos).toHaveLength(3);
});
