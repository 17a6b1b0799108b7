import { Executor } from "./executor.ts";
import type { ExecuteOptions } from "./options.ts";
import type { Template } from "./parse.ts";
import type { Segment } from "./segment.ts";
import type { ActionNode } from "./syntax/nodes.ts";
import { TemplateError } from "./template-error.ts";
import { toData } from "./to-data.ts";
import type { Data } from "./unknown.ts";

export type { Branches, ExecuteOptions, Include } from "./options.ts";
export { segmentsText, type Segment } from "./segment.ts";

/** What a template prints, piece by piece. Throws a TemplateError. */
export function execute(template: Template, data: Data, options: ExecuteOptions = {}): Segment[] {
  return new Executor(template, data, options).run();
}

/** Whether the template is exactly one action that prints, without any text. */
export function isSingleAction(template: Template): boolean {
  return singleAction(template) !== undefined;
}

/** The value of a template's only action, as plain data. Throws a TemplateError. */
export function evaluate(template: Template, data: Data, options: ExecuteOptions = {}): Data {
  const action = singleAction(template);
  if (!action) throw new TemplateError(template.name, 1, 1, "must be exactly one action");
  return toData(new Executor(template, data, options).valueOf(action));
}

function singleAction({ root }: Template): ActionNode | undefined {
  const [node] = root.nodes;
  return root.nodes.length === 1 && node?.kind === "action" && node.pipe.variables.length === 0 ? node : undefined;
}
