import type { ExportItem, ExportSummary, LearningCase } from "../../../contract/api/learn.ts";
import { caseTypes, type CaseType } from "../../../contract/learn-values.ts";
import { fromRedacted, type Redacted } from "../../../contract/redacted.ts";
import { caseMarkdown } from "../../../learn/export/case-markdown.ts";
import { tuningLine } from "../../../learn/export/tuning-lines.ts";
import { caseStream, countExcluded } from "../case-stream.ts";
import { excludeCase } from "../exclude-case.ts";
import type { LearnParts } from "../ports.ts";
import type { ExportRequest } from "./export-request.ts";
import { TextOutput } from "./text-output.ts";

type Texts = "jsonl" | "markdown" | "puzzle";

/** Cases as one text, or as lines in a file for each type. */
export async function* exportText(
  parts: LearnParts,
  request: ExportRequest,
  summary: ExportSummary,
): AsyncGenerator<ExportItem> {
  const format = request.format as Texts;
  const redact = await parts.sessions.redact();
  const outputs = await openOutputs(parts, request);
  const all = new Set(Object.values(outputs));
  const filled = new Set<TextOutput>();
  try {
    for (const output of all) output.write(redact(frames[format].start));
    for await (const item of caseStream(parts, request, summary.counts, { signal: request.signal })) {
      if ("excluded" in item) {
        summary.left_out.push(item.excluded);
        continue;
      }
      const output = outputs[item.case.type];
      const text = caseText(item.case, format, summary.written === 0);
      if (text === undefined) {
        countExcluded(summary.counts, "open");
        summary.left_out.push(excludeCase(item.case, "open"));
        continue;
      }
      summary.written++;
      output.write(text);
      filled.add(output);
      if (output.path === undefined) yield* output.taken();
    }
    for (const output of all) {
      // A file of nothing helps nobody.
      if (output.path !== undefined && !filled.has(output)) continue;
      output.write(redact(frames[format].end));
      yield* output.taken();
      output.close();
      if (output.path !== undefined) summary.files.push(output.path);
    }
    yield summary;
  } finally {
    // The first one made the folders.
    for (const output of [...all].toReversed()) output.discard();
  }
}

/** What stands around the cases. */
const frames: Record<Texts, Record<"start" | "end", string>> = {
  jsonl: { start: "", end: "" },
  markdown: { start: "# Cases\n", end: "" },
  puzzle: { start: '{"version":1,"cases":[', end: "\n]}\n" },
};

function caseText(found: Redacted<LearningCase>, format: Texts, isFirst: boolean): Redacted<string> | undefined {
  switch (format) {
    case "markdown":
      return fromRedacted(found, (each) => `\n${caseMarkdown(each)}`);
    case "puzzle":
      return fromRedacted(found, (each) => `${isFirst ? "" : ","}\n${JSON.stringify(each)}`);
    case "jsonl":
      return fromRedacted(found, (each) => {
        const line = tuningLine(each);
        return line && `${JSON.stringify(line)}\n`;
      });
  }
}

/** Lines of both types go into a file each: `cases.jsonl` becomes `cases.puzzles.jsonl` and `cases.corrections.jsonl`. */
async function openOutputs(
  parts: LearnParts,
  { format, output, type }: ExportRequest,
): Promise<Record<CaseType, TextOutput>> {
  if (format !== "jsonl" || type !== undefined || output === undefined) {
    const one = await TextOutput.open(parts, output);
    return { puzzle: one, correction: one };
  }
  const [name, ending] = output.endsWith(".jsonl") ? [output.slice(0, -".jsonl".length), ".jsonl"] : [output, ""];
  const opened: Partial<Record<CaseType, TextOutput>> = {};
  try {
    for (const each of caseTypes) opened[each] = await TextOutput.open(parts, `${name}.${each}s${ending}`);
    return opened as Record<CaseType, TextOutput>;
  } catch (error) {
    for (const each of Object.values(opened)) each.discard();
    throw error;
  }
}
