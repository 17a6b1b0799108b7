import type { MemoChange } from "../../contract/plan.ts";
import type { Block } from "./blocks.ts";
import { inlineQuote, type Findings, type Spot } from "./findings.ts";
import { expectedPath } from "./plan-path.ts";
import { readVaultLine, saysNone, withoutBullet } from "./sources.ts";

/** A part of a plan: its heading and what stands below it. Lines count from 0; `end` is the one behind it. */
export interface Section extends Spot {
  blocks: Block[];
  end: number;
}

/** The text of the rationale. Its fence may be missing: then all below the heading is meant. */
export function readRationale({ blocks, line, end }: Section, lines: readonly string[]): string {
  const [first, ...others] = blocks;
  if (first?.kind === "fence" && others.length === 0) return first.content.join("\n");
  return lines
    .slice(line + 1, end)
    .join("\n")
    .trim();
}

/** A line of a section's list, in its fence or without one. */
interface Entry extends Spot {
  text: string;
}

function* entriesOf({ blocks }: Section, findings: Findings): Generator<Entry> {
  for (const block of blocks) {
    if (block.kind === "fence") {
      for (const [index, text] of block.content.entries())
        yield { text, line: block.line + 1 + index, offset: text.length - text.trimStart().length };
    } else if (block.kind === "heading") {
      findings.error(block, `this heading is no part of a list: ${inlineQuote(block.text)}`, "a line without #");
    } else yield block;
  }
}

/** The lines of the next turn's context list. */
export function readVault(section: Section, findings: Findings): string[] {
  const vault: string[] = [];
  for (const { text, line, offset } of entriesOf(section, findings)) {
    const read = readVaultLine(text);
    if ("wrong" in read) findings.error({ line, offset }, read.wrong, `${expectedPath}, or a pattern such as src/**`);
    else if (read.path !== "") vault.push(read.path);
  }
  return [...new Set(vault)];
}

const memoForm = "- [+] a fact to remember, or - [-] the exact text of one to forget";

export function readMemoChanges(section: Section, findings: Findings): MemoChange[] {
  const changes = new Map<string, MemoChange>();
  for (const entry of entriesOf(section, findings)) {
    const item = withoutBullet(entry.text);
    if (item === "" || saysNone(item)) continue;
    const sign = /^[*`]{0,3}\[([+-])\][*`]{0,3}/.exec(item);
    const text = sign ? item.slice(sign[0].length).trim() : "";
    if (!sign || text === "") {
      const message = sign ? `nothing stands behind [${sign[1]}]` : `no change of a memo: ${inlineQuote(item)}`;
      findings.error(entry, message, memoForm);
      continue;
    }
    const change = sign[1] === "+" ? "add" : "remove";
    const before = changes.get(text);
    if (before && before.change !== change)
      findings.error(entry, `the same memo is both added and removed: ${inlineQuote(text)}`, "one of them");
    changes.set(text, { change, text });
  }
  return [...changes.values()];
}
