import { actionTypes, type PlannedAction } from "../../contract/plan.ts";
import { nearest } from "../../text/nearest.ts";
import { trimOf } from "../../text/trim.ts";
import type { Block } from "./blocks.ts";
import { inlineQuote, type Findings, type Spot } from "./findings.ts";
import { actionHeading, editLabel, type ActionHeading } from "./plain-words.ts";
import { readAction } from "./read-action.ts";
import type { Section } from "./read-sections.ts";

/** More than anyone would approve. */
const maxActions = 10_000;

/** The actions of a plan, in order. */
export function readActions(section: Section, findings: Findings): PlannedAction[] {
  const actions: PlannedAction[] = [];
  let open: { heading: (Spot & ActionHeading) | undefined; body: Block[] } | undefined;
  let count = 0;
  const close = (): void => {
    if (open?.heading) actions.push(readAction(open.heading, open.body, findings));
  };
  for (const block of section.blocks) {
    const heading = block.kind === "heading" ? beginAction(block, findings) : undefined;
    if (heading) {
      close();
      open = { heading: heading.type === undefined ? undefined : { ...heading, type: heading.type }, body: [] };
      count++;
    } else if (open) open.body.push(block);
    else if (block.kind === "fence") findings.error(block, "a fence before the first action", "### `CREATE` above it");
    else findings.warning(block, "this belongs to no action, and is not read", "### `CREATE` and the like");
  }
  close();
  if (count === 0) findings.error(section, "the action plan has no action", "### `CREATE` and the like below it");
  if (count > maxActions) findings.error(section, "the plan has more than 10,000 actions", "a shorter plan");
  return actions;
}

/** Whether an action begins at a heading, also one of an unknown type. Labels and other small headings belong to the action above. */
function beginAction(
  { level, text, line, offset }: Block & { kind: "heading" },
  findings: Findings,
): (Spot & Partial<ActionHeading> & { rest: string }) | undefined {
  if (editLabel(text)) return undefined;
  const heading = actionHeading(text);
  if (heading && (level === 3 || heading.rest === "")) return { ...heading, line, offset };
  if (level > 3) return undefined;
  const word = trimOf(text, " \t*`:").toUpperCase();
  const near = word.length > 40 ? undefined : nearest(word, actionTypes);
  const message = `unknown type of action ${inlineQuote(trimOf(text, "`"))}${near === undefined ? "" : `; did you mean ${near}?`}`;
  findings.error({ line, offset }, message, `### \`TYPE\`, one of ${actionTypes.join(", ")}`);
  return { rest: "", line, offset };
}
