/** What a plan may ask for, as its headings say it. */
export const actionTypes = ["CREATE", "READ", "EDIT", "EXECUTE", "RESEARCH", "CHAT_WITH_USER", "INVOKE"] as const;
export type ActionType = (typeof actionTypes)[number];

/** A plan, as it was read. What it does not say is absent. */
export interface Plan {
  title: string;
  status?: string;
  plan_type?: string;
  agent?: string;
  goal?: string;
  rationale: string;
  /** Lines of a context list, for the next turn: paths and globs, `!` before what is taken out. */
  vault: string[];
  memos: MemoChange[];
  actions: PlannedAction[];
}

/** A fact to remember, or to forget. One line, without blanks at its ends. */
export interface MemoChange {
  change: "add" | "remove";
  text: string;
}

/** One thing that a plan asks for, with the line of its heading. */
export type PlannedAction = PlanAction & {
  line: number;
  /** Empty when the plan does not say. */
  description: string;
  /** Whether what follows is done although it failed. */
  may_fail: boolean;
};

/** What an action does, and with what. Paths are below the root, with slashes, checked for nothing but their form. */
export type PlanAction =
  | { type: "CREATE"; path: string; content: string; overwrite: boolean }
  | { type: "EDIT"; path: string; edits: Edit[] }
  | { type: "READ"; sources: string[] }
  | { type: "RESEARCH"; sources: ResearchSource[] }
  | { type: "EXECUTE"; command: string; expected?: string; cwd?: string; timeout_ms?: number }
  | { type: "CHAT_WITH_USER"; text: string }
  | { type: "INVOKE"; agent: string; text: string };

/** A text that stands in a file exactly once, and what takes its place. */
export interface Edit {
  find: string;
  replace: string;
  /** The line of the plan at which `find` begins. */
  line: number;
}

/** Where an answer is looked for: in a file, at an address (http or https), or by an agent that is asked. */
export interface ResearchSource {
  kind: "path" | "url" | "query";
  text: string;
}

/** An action that changes a file. */
export type FileAction = Extract<PlannedAction, { type: "CREATE" | "EDIT" }>;
