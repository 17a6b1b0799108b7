import type { Creator } from "./creators.ts";

/** What a spell of prose ends with: the rules, the bead, and what the node takes. */
export function spellTail(takes: readonly string[]): string {
  const data = takes.map((name) => `{{include "data.md" name="${name}" value=.${name} -}}\n`);
  const head = '\n{{include "rules.md" may="write"}}\n{{include "bead.md" bead=.bead}}\n';
  return head + (data.length === 0 ? "" : `## What you work with\n\n${data.join("")}`);
}

/** The template of what a node takes: what the last node before it gave under this name. */
export function inputTemplate(name: string, creators: readonly Creator[]): string {
  const [first, ...others] = creators.map(({ step, isScript }) =>
    isScript ? `.${step}.output` : `.${step}.outputs.${name}`,
  );
  if (first === undefined) return `{{.${name}}}`;
  // Each stands for what those before it give when it gave nothing: default (default .a .b) .c
  return `{{${"default (".repeat(others.length).slice(0, -1)}${first}${others.map((each) => ` ${each}`).join(")")}}}`;
}
