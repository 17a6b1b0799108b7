import { expect, test } from "vitest";
import type { AgentResult } from "../../contract/engine.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { Folder } from "../../../test/support/folders.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { handedInResults } from "./handed-in-results.ts";

const step = { path: "plan", attempt: 1 };
const later = (_ms: number, work: () => void): (() => void) => {
  const due = setImmediate(work);
  return () => clearImmediate(due);
};
const redactor = createRedactor({});
const result = (summary: string) => redactValue<AgentResult>({ success: true, summary }, redactor.redact);

test("H7 what another process handed in first stays, also where this one waits for it", async () => {
  using folder = new Folder();
  const open = () => handedInResults({ disk: nodeDisk, folder: folder.path, later });
  const driver = open();
  const stop = new AbortController();
  const taken = driver.wait("run-1", "plan#1", stop.signal);
  expect(open().put("run-1", step, result("From another."))).toBe("left");
  expect(driver.put("run-1", step, result("From here."))).toBe("known");
  expect(driver.get("run-1", step)).toEqual({ success: true, summary: "From another." });
  expect(await taken).toEqual({ success: true, summary: "From another." });
});
