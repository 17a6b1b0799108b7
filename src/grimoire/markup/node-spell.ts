/** What a spell of prose ends with: the rules, the bead, and what the node takes. */
export function spellTail(takes: readonly string[]): string {
  const data = takes.map((name) => `{{include "data.md" name="${name}" value=.${name} -}}\n`);
  const head = '\n{{include "rules.md" may="write"}}\n{{include "bead.md" bead=.bead}}\n';
  return head + (data.length === 0 ? "" : `## What you work with\n\n${data.join("")}`);
}

/** The template of what a node takes: what the last node before it gave under this name. */
export function inputTemplate(name: string, creators: readonly { step: string; isScript: boolean }[]): string {
  const field = ({ step, isScript }: { step: string; isScript: boolean }): string =>
    isScript ? `.${step}.output` : `.${step}.outputs.${name}`;
  const [first, ...others] = creators;
  if (!first) return `{{.${name}}}`;
  return `{{${others.reduce((sum, each) => `default ${sum.includes(" ") ? `(${sum})` : sum} ${field(each)}`, field(first))}}}`;
}
