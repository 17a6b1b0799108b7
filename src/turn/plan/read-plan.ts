import type { Plan, PlannedAction } from "../../contract/plan.ts";
import type { Problem } from "../../contract/problem.ts";
import { nearest } from "../../text/nearest.ts";
import { headKeys, type HeadKey } from "./action-keys.ts";
import { scanBlocks, type Block } from "./blocks.ts";
import { Fields } from "./fields.ts";
import { Findings, inlineQuote } from "./findings.ts";
import { findStart, planLines } from "./plan-lines.ts";
import { actionHeading, parseSectionName, sectionNames, type SectionName } from "./plain-words.ts";
import { readActions } from "./read-actions.ts";
import { readMemoChanges, readRationale, readVault, type Section } from "./read-sections.ts";

export interface ReadPlan {
  /** Only when there is no error; warnings do not keep it back. */
  plan?: Plan;
  /** Everything that is wrong, in the order of the file. The hint of an error is the form that was expected. */
  problems: Problem[];
}

/** In characters. No model writes longer plans. */
const maxLength = 16 * 1024 * 1024;

/** Reads a plan. Does not throw: whatever is wrong with the text comes back as problems. Takes time linear in its size. */
export function readPlan(text: string, file = "plan.md"): ReadPlan {
  const lines = planLines(text.length > maxLength ? "" : text);
  const findings = new Findings(lines, file);
  if (text.length > maxLength) {
    findings.error({ line: 0, offset: 0 }, "the plan is longer than 16 MiB", "a shorter plan");
    return { problems: findings.problems() };
  }
  const { start, outer } = findStart(lines);
  const parts = cutIntoParts(scanBlocks(lines, start, outer, findings), lines.length, findings);
  const plan = buildPlan(parts, lines, findings);
  return { ...(!findings.hasErrors && { plan }), problems: findings.problems() };
}

interface Parts {
  title: string;
  head: Fields<HeadKey>;
  sections: Map<SectionName, Section>;
}

function buildPlan({ title, head, sections }: Parts, lines: readonly string[], findings: Findings): Plan {
  const [rationale, vault, memos, actions] = sectionNames.map((name) => sections.get(name));
  if (!rationale) findings.warning({ line: 0, offset: 0 }, "the plan has no rationale", "## Rationale");
  if (!vault) findings.warning({ line: 0, offset: 0 }, "the plan names no files for the next turn", "## Context Vault");
  if (!actions) {
    const last = { line: lines.length - 1, offset: 0 };
    findings.error(last, "the plan has no action plan", "## Action Plan, with ### `CREATE` and the like below it");
  }
  const [status, planType, agent, goal] = headKeys.map((key) => head.get(key)?.value);
  return {
    title,
    ...(status !== undefined && { status }),
    ...(planType !== undefined && { plan_type: planType }),
    ...(agent !== undefined && { agent }),
    ...(goal !== undefined && { goal }),
    rationale: rationale ? readRationale(rationale, lines) : "",
    vault: vault ? readVault(vault, findings) : [],
    memos: memos ? readMemoChanges(memos, findings) : [],
    actions: actions ? readActions(actions, findings) : ([] as PlannedAction[]),
  };
}

/** Title, keys, and the sections by their names. */
function cutIntoParts(blocks: Block[], lineCount: number, findings: Findings): Parts {
  const rules = { keys: headKeys, others: ["Description"], owner: "a plan" };
  const parts: Parts = { title: "", head: new Fields(rules, findings), sections: new Map() };
  const titleAt = blocks[0]?.kind === "heading" && blocks[0].level === 1 ? blocks[0] : undefined;
  parts.title = titleAt?.text ?? "";
  if (parts.title === "")
    findings.error(
      titleAt ?? { line: blocks[0]?.line ?? 0, offset: 0 },
      "the plan has no title",
      "# What the plan does",
    );
  let section: Section | undefined;
  for (const block of titleAt ? blocks.slice(1) : blocks) {
    if (block.kind === "heading" && block.level <= 2) {
      if (section) section.end = block.line;
      section = beginSection(block, lineCount, parts.sections, findings);
    } else if (section) section.blocks.push(block);
    else readHead(block, parts.head, findings);
  }
  return parts;
}

/** What stands in a section that is unknown, or there already, is read no further. */
function beginSection(
  { level, text, line, offset }: Block & { kind: "heading" },
  end: number,
  sections: Map<SectionName, Section>,
  findings: Findings,
): Section {
  const section: Section = { line, offset, blocks: [], end };
  const name = parseSectionName(text);
  if (level === 1 && name === undefined) {
    findings.error(section, `a second title: ${inlineQuote(text)}`, "one # title, above everything else");
  } else if (name === undefined) {
    const near = text.length > 60 ? undefined : nearest(text, sectionNames);
    const isAction = actionHeading(text) !== undefined;
    const expected = isAction
      ? "### before the type of an action"
      : `one of ${sectionNames.map((each) => `## ${each}`).join(", ")}`;
    const message = `unknown section ${inlineQuote(text)}${near === undefined ? "" : `; did you mean ${near}?`}`;
    findings.error(section, message, expected);
  } else {
    const before = sections.get(name);
    if (before) findings.error(section, `a second ${name}, after that of line ${before.line + 1}`, "one of them");
    else sections.set(name, section);
  }
  return section;
}

function readHead(block: Block, head: Fields<HeadKey>, findings: Findings): void {
  if ((block.kind === "item" || block.kind === "text") && head.take(block)) return;
  if (block.kind === "heading")
    findings.error(
      block,
      `this heading stands before any section: ${inlineQuote(block.text)}`,
      "## Action Plan above it",
    );
  else findings.warning(block, "this belongs to no part of the plan, and is not read", "- **Goal:** what it is for");
}
