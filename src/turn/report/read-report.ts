import { LineCounter, parseDocument, type Document } from "yaml";
import * as z from "zod/mini";
import type { Problem } from "../../contract/problem.ts";
import { useSchemaMessages } from "../../contract/schema-messages.ts";
import { executionReport, type ExecutionReport } from "../../contract/turn-report.ts";
import { yamlWords } from "../../contract/yaml-messages.ts";

useSchemaMessages();

/** In characters. Long outputs stand in files of their own. */
const maxLength = 64 * 1024 * 1024;

/** Reads a report. Does not throw: what is wrong comes back as problems. */
export function readReport(text: string, file = "report.md"): { report?: ExecutionReport; problems: Problem[] } {
  const lines = new LineCounter();
  const problemAt = (offset: number, message: string, hint?: string): Problem => {
    const { line, col } = lines.linePos(offset);
    const place = { line: Math.max(line, 1), column: Math.max(col, 1) };
    return { severity: "error", file, ...place, message, ...(hint !== undefined && { hint }) };
  };
  if (text.length > maxLength) return { problems: [problemAt(0, "the report is longer than 64 MiB")] };
  const read = parsed(text, lines);
  if (read === undefined) return { problems: [problemAt(0, "nested too deeply to be read, or full of aliases")] };
  const { document, value } = read;
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const { message, hint } = yamlWords(error);
      return problemAt(error.pos[0], message, hint);
    });
    return { problems };
  }
  const result = z.safeParse(executionReport, value, { jitless: true });
  if (result.success) return { report: result.data, problems: [] };
  const problems = result.error.issues.map(({ path, message }) =>
    problemAt(offsetOf(document, path), `${path.length === 0 ? "the report" : path.join(".")}: ${message}`),
  );
  return { problems };
}

/** Undefined when the parser gives up. */
function parsed(text: string, lines: LineCounter): { document: Document; value: unknown } | undefined {
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
    return {
      document,
      value: document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: 0 }) as unknown),
    };
  } catch {
    return undefined;
  }
}

/** Where the innermost value of a path begins that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}
