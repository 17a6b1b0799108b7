import type { ExecutionNews, ExecutionsApi } from "../../../contract/api/turn-execution.ts";
import { streamOf } from "../../run/stream.ts";
import { diffTurns } from "./diff.ts";
import { executePlan } from "./execute.ts";
import type { ExecutionParts } from "./parts.ts";
import { previewExecution } from "./preview.ts";
import { ExecutionQuestions } from "./questions.ts";
import { undoTurn } from "./undo.ts";
import { verifyTurns } from "./verify.ts";

export function executionsApi(parts: ExecutionParts): ExecutionsApi {
  const questions = new ExecutionQuestions();
  return {
    preview: (request) => previewExecution(parts, request),

    async execute({ approve, ...request }, options) {
      return streamOf<ExecutionNews, void>(async (tell, signal) => {
        const person = {
          approve,
          tell,
          ask: (question: Extract<ExecutionNews, { type: "question" }>["question"]) =>
            questions.ask((id) => tell({ type: "question", id, question }), signal),
        };
        await executePlan(parts, request, person, signal);
      }, options?.signal);
    },

    async answer({ id, answer }) {
      questions.answer(id, answer);
      return {};
    },

    executeApproved({ approve, ...request }, options) {
      const person = { approve, ask: undefined, tell: () => undefined };
      return executePlan(parts, request, person, options?.signal ?? new AbortController().signal);
    },

    undo: (request) => undoTurn(parts, request),
    diff: (request) => diffTurns(parts, request),
    verify: ({ session }) => verifyTurns(parts, session),
  };
}
