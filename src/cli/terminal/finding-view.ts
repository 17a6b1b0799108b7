import type { Finding } from "../../contract/api/doctor.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { padTo } from "./width.ts";
import { wrapLines } from "./wrap.ts";

/** What a doctor found: a line, and the way out below it. */
export function viewFinding(screen: Screen, { check, status, message, hint }: Finding): string {
  const { colors } = screen;
  const marks = {
    ok: colors.green("✓"),
    repaired: colors.green("✓ repaired:"),
    warning: colors.yellow("!"),
    problem: colors.red("✗"),
  };
  const [first, ...more] = wrapLines(screen, cleanLine(message), " ".repeat(22));
  const hintLines =
    hint === undefined ? [] : wrapLines(screen, cleanLine(hint), "    ").map((each) => colors.dim(each));
  return [`${marks[status]} ${padTo(check, 19)} ${first!.trimStart()}`, ...more, ...hintLines].join("\n");
}
