import { expect, test } from "vitest";
import { actionTypes } from "../../contract/plan.ts";
import { readPlan } from "../plan/read-plan.ts";
import { systemText } from "./plan-form.ts";

test("T4 the example that agents are taught is a valid plan, with every kind of action", () => {
  const text = systemText("dev", "You build.");
  const [, example] = text.split(/^~{8}\n/m);
  const { plan, problems } = readPlan(example!);
  expect(problems).toEqual([]);
  expect(plan!.actions.map(({ type }) => type).sort()).toEqual([...actionTypes].sort());
  expect(text.startsWith("# dev\n\nYou build.\n\n# Your answer\n")).toBe(true);
});
