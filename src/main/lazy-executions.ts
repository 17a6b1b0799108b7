import type { ExecutionsApi } from "../contract/api/turn-execution.ts";

/** What executes plans, loaded when it is first asked: most commands about turns need none of it. */
export function lazyExecutions(load: () => Promise<ExecutionsApi>): ExecutionsApi {
  return {
    preview: async (...args) => (await load()).preview(...args),
    execute: async (...args) => (await load()).execute(...args),
    answer: async (...args) => (await load()).answer(...args),
    executeApproved: async (...args) => (await load()).executeApproved(...args),
    undo: async (...args) => (await load()).undo(...args),
    diff: async (...args) => (await load()).diff(...args),
    verify: async (...args) => (await load()).verify(...args),
  };
}
