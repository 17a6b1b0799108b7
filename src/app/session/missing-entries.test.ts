import { expect, test } from "vitest";
import type { LogEntry } from "../../contract/session.ts";
import { parseItems } from "../../session/parse.ts";
import { missingEntries, projectedPhases } from "./missing-entries.ts";

const said = (...texts: string[]): LogEntry[] => texts.map((text) => ({ kind: "text", text }));
const body = (...texts: string[]): string => texts.map((text) => `\n> [!agent]\n> ${text}\n`).join("");
const missing = (entries: LogEntry[], text: string): string[] =>
  missingEntries(entries, parseItems(text)).map((entry) => ("text" in entry ? entry.text : entry.kind));

test("S7 what is missing behind the last entry that is there is told, in order", () => {
  expect(missing(said("a", "b", "c"), body("a"))).toEqual(["b", "c"]);
  expect(missing(said("a", "b", "c"), "")).toEqual(["a", "b", "c"]);
  expect(missing(said("a", "b", "c"), body("a", "b", "c"))).toEqual([]);
});

test("S7 of equal entries, as many are missing as are not there", () => {
  expect(missing(said("a", "a", "b", "a"), body("a", "a"))).toEqual(["b", "a"]);
});

test("S7 what a person deleted before it stays deleted, and what others wrote is left alone", () => {
  expect(missing(said("a", "b", "c", "d"), body("a", "mine", "c") + "\nA note.\n")).toEqual(["d"]);
});

test("S7 a phase is known by its event, whatever a person calls it", () => {
  const opened = { at: "2026-11-15T10:00:00.000Z", journal: 57 };
  const entries: LogEntry[] = [{ kind: "phase", title: "build", opened }, ...said("a")];
  expect(missing(entries, `\n## Building\n<!-- clew {"id":"phase-1","at":"x","journal":57} -->\n`)).toEqual(["a"]);
  expect(missing(entries, `\n## build\n<!-- clew {"id":"phase-1","at":"x"} -->\n`)).toEqual(["phase", "a"]);
});

test("S7 a question is known by its id, in whatever words an earlier version asked it", () => {
  const asked = (id: string): LogEntry => ({ kind: "decision_needed", id, text: "check: exited with 1" });
  const earlier = "\n> [!decision_needed] q-13t76a0\n> exited with 1\n> At check\n";
  expect(missing([asked("q-13t76a0"), ...said("a")], earlier)).toEqual(["a"]);
  expect(missing([asked("q-13t76a1"), ...said("a")], earlier)).toEqual(["check: exited with 1", "a"]);
});

test("S2 phases that follow from events are found from the last to the first; no text is taken for one", () => {
  const mark = (journal: string): string => `<!-- clew {"id":"phase-1","at":"x"${journal}} -->`;
  const text = [
    "",
    "## One",
    mark(',"journal":7'),
    "",
    "## By hand",
    mark(""),
    "",
    "> [!agent]",
    `> ${mark(',"journal":9')}`,
    "",
    mark(',"journal":10'),
    "",
    "## Two",
    mark(',"journal":12'),
    "",
    "## Three",
    mark(',"transcript":"claude-2026-work.jsonl"'),
    "",
  ].join("\n");
  expect([...projectedPhases(text)]).toEqual([
    { origin: "claude-2026-work.jsonl", start: text.indexOf("## Three") },
    { origin: 12, start: text.indexOf("## Two") },
    { origin: 7, start: text.indexOf("## One") },
  ]);
});
