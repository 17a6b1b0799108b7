import { callOperationTool, operationTools, type Explain, type OpenOperations } from "./operation-tools.ts";
import { submitResultName } from "./submit-result.ts";
import { failedCall, type Tools } from "./tools.ts";
import type { WorkflowTools } from "./workflow-tools.ts";

const instructions =
  "Clew keeps the record of what agents do in this repository, and runs workflows over its beads (tasks). " +
  "session_search finds what was decided and tried before; decision_record and note_record keep what you decide and find. " +
  "workflow_start begins a workflow on a bead, in which you work on the agent's steps: workflow_continue hands in each result. " +
  "Verdicts and answers are a person's: what waits for one is in inbox_list.";

export interface RepositoryToolsParts {
  openOperations: OpenOperations;
  explain: Explain;
  workflows: Pick<WorkflowTools, "list" | "call">;
  /** Why no result is taken here. */
  whyNoStep: string;
}

/** What a client is offered that no step started: the repository's sessions, workflows and beads. */
export function repositoryTools({ whyNoStep, workflows, ...parts }: RepositoryToolsParts): Tools {
  return {
    instructions,
    // It only changes with the program.
    cache: { ttlMs: 3_600_000, cacheScope: "public" },
    list: async () => [...workflows.list(), ...operationTools()],
    call: async (name, args, meta) =>
      name === submitResultName
        ? failedCall(`no step waits for a result here: ${whyNoStep}. Tell the result in your last message instead`)
        : ((await workflows.call(name, args, meta)) ?? callOperationTool(name, args, parts)),
  };
}
