import { expect, test } from "vitest";
import { MemoryDisk } from "../../../test/sim/memory-disk.ts";
import { placeOfPhase } from "./phase-place.ts";

const line = (type: string, n: number, more = ""): string =>
  `{"type":"${type}","n":${n},"more":${JSON.stringify(more)}}\n`;

test("S2 G16 the event that began a step is found wherever it stands, and nothing else is taken for it", () => {
  const disk = new MemoryDisk();
  const first = line("workflow.started", 1);
  const looksLike = line("workflow.step.completed", 2, `\n{"type":"workflow.step.started","n":3,`);
  const padding = line("workflow.step.completed", 5, "x".repeat(1024 * 1024 - 90));
  const parts = [first, looksLike, line("workflow.step.started", 4), padding, line("workflow.step.started", 44)];
  const text = parts.join("");
  disk.append("/j", Buffer.from(text), 0o600);
  expect(placeOfPhase(disk, "/j", 1)).toBe(0);
  expect(placeOfPhase(disk, "/j", 4)).toBe(text.indexOf(parts[2]!));
  expect(placeOfPhase(disk, "/j", 44)).toBe(text.lastIndexOf(parts[4]!));
  for (const other of [2, 3, 5, 444]) expect(placeOfPhase(disk, "/j", other)).toBeUndefined();
  expect(placeOfPhase(disk, "/none", 1)).toBeUndefined();
});

test("G16 a step's event across the border of what is read at once is found", () => {
  const begun = line("workflow.step.started", 4);
  for (let shift = 0; shift < 60; shift++) {
    const disk = new MemoryDisk();
    const before = line("workflow.started", 1);
    disk.append("/j", Buffer.from(before + begun), 0o600);
    disk.append("/j", Buffer.from(line("other", 9, "x".repeat(1024 * 1024 - begun.length - 10 + shift))), 0o600);
    expect(placeOfPhase(disk, "/j", 4)).toBe(before.length);
  }
});
