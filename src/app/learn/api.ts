import type { CaseSelection, LearnApi, LearningCase, ExcludedCase } from "../../contract/api/learn.ts";
import { caseStream, noCounts } from "./case-stream.ts";
import type { LearnParts } from "./ports.ts";

export function learnApi(parts: LearnParts): LearnApi {
  return {
    async cases(selection: CaseSelection, { signal } = {}) {
      const counts = noCounts();
      const cases: LearningCase[] = [];
      const excluded: ExcludedCase[] = [];
      for await (const item of caseStream(parts, selection, counts, { areKept: true, signal })) {
        if ("case" in item) cases.push(item.case);
        else excluded.push(item.excluded);
      }
      return { cases, left_out: excluded, counts };
    },
    async export(request, { signal = new AbortController().signal } = {}) {
      const { startExport } = await import("./exports/export.ts");
      return startExport(parts, { ...request, signal });
    },
  };
}
