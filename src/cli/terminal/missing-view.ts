import type { MissingEvidence } from "../../contract/evidence-values.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { count } from "./words.ts";
import { wrapLines } from "./wrap.ts";

const preface = "this step requires that ";

/** Why an agent's result does not count, in a few words; what is missing stands below. */
export function missingHeading(missing: readonly MissingEvidence[]): string {
  return `its result does not count, ${count(missing.length, "thing")} missing`;
}

/** What a step still requires, and below each what mends it. */
export function viewMissing(screen: Screen, missing: readonly MissingEvidence[]): string[] {
  const { colors } = screen;
  return missing.flatMap(({ message, fix }) => {
    const text = cleanLine(message.startsWith(preface) ? message.slice(preface.length) : message);
    const [first = "", ...rest] = wrapLines(screen, `    ${text}`);
    return [
      `  ${colors.red("✗")} ${first.trimStart()}`,
      ...rest,
      ...wrapLines(screen, `    ${colors.dim("fix:")} ${cleanLine(fix)}`),
    ];
  });
}
