import { Document, Scalar, visit } from "yaml";
import type { Gate } from "../../contract/gate.ts";
import { defaultMergeStrategy } from "../../contract/grimoire-values.ts";
import type { Grimoire, Json, Step } from "../../contract/grimoire.ts";
import { formatDuration } from "../../text/duration.ts";

/**
 * A grimoire as YAML, in its canonical form: keys in a fixed order, defaults left out. Reading it gives the same definition, and
 * writing that again the same bytes.
 */
export function writeGrimoire({ name, description, timeout_ms, steps }: Grimoire): string {
  return yamlText({ name, description, ...timeout(timeout_ms), steps: steps.map(stepFields) });
}

/** Any data as YAML that `readGrimoire` takes back unchanged. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  visit(document, { Scalar: (_, node) => chooseStyle(node) });
  return document.toString({ lineWidth: 0, blockQuote: "literal", minContentWidth: 0 });
}

/** The fields of a step as they are written, without `name` and what is the default anyway. */
function stepFields(step: Step): Record<string, unknown> {
  const { name, type, when } = step;
  const head = { name, type, ...(when !== undefined && { when }) };
  switch (step.type) {
    case "agent":
    case "script":
      return { ...head, ...workFields(step) };
    case "loop": {
      const { max_iterations, on_max_iterations, output, timeout_ms, steps } = step;
      return {
        ...head,
        ...unless(10, { max_iterations }),
        ...unless("block", { on_max_iterations }),
        ...definedFields({ output }),
        ...timeout(timeout_ms),
        steps: steps.map(stepFields),
      };
    }
    case "merge": {
      const { require_review, strategy, verify, shell, timeout_ms, on_changes, on_success } = step;
      return {
        ...head,
        ...unless(true, { require_review }),
        ...unless(defaultMergeStrategy, definedFields({ strategy })),
        ...definedFields({ verify, shell }),
        ...timeout(timeout_ms),
        ...definedFields({ on_changes, on_success }),
      };
    }
  }
}

/** What an agent or script step does, and how. */
function workFields(step: Extract<Step, { type: "agent" | "script" }>): Record<string, unknown> {
  const { input, output, timeout_ms, on_fail, on_success, detach } = step;
  const own =
    step.type === "script"
      ? { command: step.command, ...unless("sh", { shell: step.shell }) }
      : {
          ...definedFields({ agent: step.agent, engine: step.engine, model: step.model }),
          spell: step.spell,
          ...(step.requires && { requires: step.requires.map(gateFields) }),
        };
  return {
    ...own,
    ...(Object.keys(input).length > 0 && { input }),
    ...definedFields({ output }),
    ...(step.type === "agent" && definedFields({ outputs: step.outputs })),
    ...timeout(timeout_ms),
    ...unless("block", { on_fail }),
    ...definedFields({ on_success, detach }),
  };
}

function gateFields(gate: Gate): Record<string, unknown> {
  if (gate.kind === "command") {
    const { command, shell, expect, timeout_ms } = gate;
    return { command, ...unless("sh", { shell }), ...unless(0, { expect }), ...timeout(timeout_ms) };
  }
  const { tool, match, exit, count, covers, fresh, keeps } = gate;
  return {
    // `tool` goes without saying where there is a match.
    ...(tool === "shell" && match !== undefined ? {} : { tool }),
    ...definedFields({ match }),
    ...unless(0, { exit }),
    ...unless(1, { count }),
    ...(covers.length > 0 && { covers }),
    ...unless(true, { fresh }),
    ...definedFields({ keeps }),
  };
}

function timeout(ms: number | undefined): { timeout?: string } {
  return ms === undefined ? {} : { timeout: formatDuration(ms) };
}

/** Only the fields that have a value. */
function definedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function unless(usual: Json, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== usual));
}

/** Lines that a literal block gives back as they are: no tab, no control character, no space at an end, no break but \n. */
const literalText = /^(?! )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFEFF]*(?:\n[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFEFF]*)*\n$/u;
/** One line that YAML reads as text, whatever stands around it. */
const plainText = /^[A-Za-z./][A-Za-z0-9 ,.;()/+=_-]*$/;

/** How a text is written is decided here, and by nothing else, so that it stays the same. */
function chooseStyle(node: Scalar): void {
  const { value } = node;
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    // Digits alone would look exact.
    node.source = value.toExponential();
    node.format = "EXP";
  }
  if (typeof value !== "string") return;
  if (isLiteral(value)) node.type = Scalar.BLOCK_LITERAL;
  else node.type = plainText.test(value) && !value.endsWith(" ") ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
}

/** Whether a literal block shows the text well and keeps it: it ends in one break, and no line in a space. */
function isLiteral(text: string): boolean {
  return literalText.test(text) && !/^\n| \n|\n\n$/.test(text);
}
