import type { PinnedRule } from "../../contract/pinned-run.ts";
import { isLoosening } from "../../contract/policy.ts";
import type { PlacedRule } from "../../policy/judge.ts";
import type { PolicyLayer } from "./ports.ts";

/** The rules of all files, each with its place and whether it counts. */
export function placedRules(layers: readonly PolicyLayer[]): PlacedRule[] {
  return layers.flatMap(({ file, rules, lines, isTrusted }) =>
    rules.map((rule, at) => {
      const line = lines[at] === undefined ? "" : `: line ${lines[at]}`;
      const counts = isTrusted || !isLoosening(rule);
      return { ...rule, label: rule.name ?? `rule ${at + 1}`, file: `${file}${line}`, counts };
    }),
  );
}

/** What is wrong in any of the files. */
export function policyProblem(layers: readonly PolicyLayer[]): string | undefined {
  const problems = layers.flatMap(({ problem }) => problem ?? []);
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** Whether something is forbidden, so that engines should rather block than go on when a hook fails. */
export function hasDeny(layers: readonly PolicyLayer[]): boolean {
  const isStrict = ({ rules, problem }: PolicyLayer): boolean =>
    problem !== undefined ||
    rules.some(({ event, decide }) => event === "tool" && decide !== undefined && decide !== "allow");
  return layers.some(isStrict);
}

/** What denies, asks and stops, as it stands now; nothing of a file that cannot be read. */
export function pinnedRules(layers: readonly PolicyLayer[]): PinnedRule[] {
  return placedRules(layers).flatMap(({ label, file, event, decide, ...rule }) => {
    if (decide === undefined || decide === "allow") return [];
    const { tool, command, path, step, agent, reason } = rule;
    const about = { tool, command, path, step, agent, reason };
    const said = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
    return [{ label, file, event, decide, ...(said as Partial<PinnedRule>) }];
  });
}

/** Rules that are held on to, as rules. They come behind those of the files, which say where a rule stands now. */
export function heldRules(rules: readonly PinnedRule[] = []): PlacedRule[] {
  return rules.map((rule) => ({ ...rule, file: `${rule.file}, at the start`, counts: true }));
}
