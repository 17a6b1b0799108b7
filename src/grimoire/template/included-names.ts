import type { Place } from "../../contract/problem.ts";
import type { Template } from "./parse.ts";
import { commandsOf } from "./syntax/visit.ts";

/** A call of `include`. The name is undefined when only executing can tell it. */
export interface IncludedName extends Place {
  name: string | undefined;
}

/** Every partial that a template, or what it defines, may include; in the order of the text. */
export function includedNames(template: Template): IncludedName[] {
  const names: IncludedName[] = [];
  for (const tree of template.trees.values()) {
    for (const { args, include } of commandsOf(tree)) {
      const name = args[0]?.kind === "string" ? args[0].value : undefined;
      if (include) names.push({ name, ...include.place });
    }
  }
  return names.sort((a, b) => a.line - b.line || a.column - b.column);
}
