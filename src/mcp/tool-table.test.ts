import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Operation } from "../contract/api/operation.ts";
import { operations } from "../contract/api/table.ts";
import { operationTools } from "./operation-tools.ts";
import { toolTable, type OfferedOperation } from "./tool-table.ts";

const operationOf = (name: string): Operation => {
  const [resource = "", operation = ""] = name.split(".");
  return (operations as unknown as Record<string, Record<string, Operation>>)[resource]![operation]!;
};

/** Operations that no agent may be offered; the compiler refuses each. */
const refused = {
  // @ts-expect-error a verdict
  approve: "runs.approve" satisfies OfferedOperation,
  // @ts-expect-error a verdict
  reject: "runs.reject" satisfies OfferedOperation,
  // @ts-expect-error a verdict
  changes: "runs.requestChanges" satisfies OfferedOperation,
  // @ts-expect-error a signal
  cancel: "runs.cancel" satisfies OfferedOperation,
  // @ts-expect-error a signal
  retry: "runs.retry" satisfies OfferedOperation,
  // @ts-expect-error an answer
  answer: "inbox.answer" satisfies OfferedOperation,
  // @ts-expect-error it needs the caller's own process
  talk: "agents.talk" satisfies OfferedOperation,
};

describe("H7 the tools of the table", () => {
  it.each(Object.entries(toolTable))("%s decides nothing that is a person's", (_, { operation }) => {
    const { effect, where, streams } = operationOf(operation);
    expect([effect === "decides", where, streams]).toEqual([false, "either", undefined]);
    expect(Object.values(refused)).not.toContain(operation);
  });

  it.each(operationTools())("$name says what it takes, as JSON Schema", ({ name, inputSchema, annotations, title }) => {
    expect(name).toMatch(/^[a-z]+_[a-z]+$/);
    expect(title).toMatch(/^[A-Z]/);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    new Ajv2020({ strict: false }).compile(inputSchema as object);
    const { effect } = operationOf(toolTable[name as keyof typeof toolTable].operation);
    expect(annotations).toMatchObject({ readOnlyHint: effect === "reads", destructiveHint: false });
  });
});
