import * as z from "zod/mini";
import { actionTypes } from "../plan.ts";
import { problem } from "../problem.ts";
import { actionStatuses, runStatuses } from "../turn.ts";
import { decides, reads, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();
const count = z.int().check(z.minimum(0));

/** The most recently created session of turns when absent. */
const session = z.optional(text);

const memoChange = z.strictObject({
  change: z.enum(["add", "remove"]),
  text,
  /** Why it would change nothing. */
  ignored: z.exactOptional(text),
});

/** An action of a plan, as it is shown before it is done. */
const shownAction = z.strictObject({
  /** Its place in the plan, from 1. */
  action: count,
  type: z.enum(actionTypes),
  description: text,
  /** The line of the plan. */
  line: count,
  /** What it is about: a path, a command, an agent. */
  subject: text,
  may_fail: z.boolean(),
  /** What CREATE and EDIT make of the file, against the files as they will be. */
  diff: z.exactOptional(text),
  command: z.exactOptional(text),
  cwd: z.exactOptional(text),
  expected: z.exactOptional(text),
  sources: z.exactOptional(z.array(z.strictObject({ kind: z.enum(["path", "url", "query"]), text }))),
  /** What CHAT_WITH_USER and INVOKE say. */
  text: z.exactOptional(text),
  agent: z.exactOptional(text),
  /** `policy`: a rule allows it; `denied`: a rule denies it. */
  approval: z.enum(["none_needed", "needed", "policy", "denied"]),
  /** What the rule says. */
  reason: z.exactOptional(text),
  /** Why it cannot be done as the files are. */
  problem: z.exactOptional(text),
  /** It changes what steers Clew itself, such as files below `.clew/`: approving all does not cover it, and of rules only one that names it. */
  steers_clew: z.exactOptional(z.literal(true)),
  /** What a person should look at before approving it. */
  notes: z.array(text),
});
export type ShownAction = z.infer<typeof shownAction>;

const preview = z.strictObject({
  session_id: text,
  turn: text,
  title: text,
  agent: text,
  /** Whether plan.md is another than the one that was written. */
  plan_changed: z.boolean(),
  memos: z.array(memoChange),
  actions: z.array(shownAction),
  /** How many actions need approval and have none. */
  to_approve: count,
});
export type ExecutionPreview = z.infer<typeof preview>;

/** What became of an action. */
const doneAction = {
  action: count,
  type: z.enum(actionTypes),
  subject: text,
  status: z.enum(actionStatuses),
  /** Whether the plan goes on when it fails. */
  may_fail: z.boolean(),
  details: z.exactOptional(text),
};
const done = z.strictObject(doneAction);
export type DoneAction = z.infer<typeof done>;

const result = {
  session_id: text,
  turn: text,
  status: z.enum(runStatuses),
  /** Below the root. */
  report: text,
  /** Whether Ctrl-C ended it. */
  interrupted: z.boolean(),
  memos: z.enum(["accepted", "rejected", "none"]),
  /** Who answered for the memo changes; absent when there are none. */
  memos_by: z.exactOptional(z.enum(["user", "setting", "no_terminal"])),
  actions: z.array(
    z.strictObject({
      ...doneAction,
      /** The last lines that a failed command printed. */
      output: z.exactOptional(text),
      /** What CHAT_WITH_USER says. */
      text: z.exactOptional(text),
    }),
  ),
  /** Files whose changes were approved, and not written because it was stopped or failed. */
  not_written: z.array(text),
  /** The command that plans the turn after it. */
  next_command: text,
  /** What it made of files. */
  files: z.array(z.strictObject({ path: text, change: z.enum(["created", "changed", "removed"]) })),
};
const executed = z.strictObject(result);
export type ExecutionResult = z.infer<typeof executed>;

const question = z.discriminatedUnion("about", [
  z.strictObject({ about: z.literal("plan_changed"), diff: z.exactOptional(text) }),
  z.strictObject({ about: z.literal("memos"), changes: z.array(memoChange) }),
  z.strictObject({
    about: z.literal("action"),
    shown: shownAction,
    of: count,
    /** The action as a person can edit it. */
    editable: text,
    /** What is wrong with an edit that was given. */
    problems: z.exactOptional(z.array(problem)),
  }),
  z.strictObject({ about: z.literal("reply"), text }),
]);
export type ExecutionQuestion = z.infer<typeof question>;

const executionNews = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("started"), ...preview.shape }),
  z.strictObject({ type: z.literal("question"), id: text, question }),
  /** An action that is done without a question: it is shown all the same. */
  z.strictObject({
    type: z.literal("action"),
    shown: shownAction,
    of: count,
    by: z.enum(["flag", "user", "policy", "none_needed"]),
  }),
  /** A command has begun. */
  z.strictObject({ type: z.literal("running"), action: count }),
  z.strictObject({ type: z.literal("output"), action: count, text }),
  z.strictObject({ type: z.literal("done"), done, duration_ms: count }),
  z.strictObject({
    type: z.literal("memos"),
    answer: z.enum(["accepted", "rejected"]),
    by: z.enum(["user", "setting", "no_terminal"]),
  }),
  z.strictObject({ type: z.literal("ended"), ...result }),
]);
export type ExecutionNews = z.infer<typeof executionNews>;

const answer = z.discriminatedUnion("answer", [
  z.strictObject({ answer: z.literal("approve") }),
  z.strictObject({ answer: z.literal("approve_rest") }),
  z.strictObject({ answer: z.literal("deny"), reason: z.exactOptional(text) }),
  z.strictObject({ answer: z.literal("edit"), text }),
  z.strictObject({ answer: z.literal("reply"), text }),
  z.strictObject({ answer: z.literal("stop") }),
]);
export type ExecutionAnswer = z.infer<typeof answer>;

const changedFile = z.strictObject({ path: text, change: z.enum(["restored", "removed"]) });

const turnStates = ["intact", "changed", "missing", "unknown"] as const;

/** What every operation on the turns of a session may answer with. */
const errors = [
  "unknown_session",
  "ambiguous_session",
  "invalid_id",
  "damaged_session",
  "unknown_turn",
  "not_possible_now",
] as const;

export const executionOperations = {
  preview: {
    ...reads,
    about: "What executing a plan would do: its memo changes, and every action with its diff or command.",
    request: z.strictObject({ session, turn: z.optional(text) }),
    response: preview,
    errors,
  },
  execute: {
    effect: "decides",
    where: "local",
    streams: true,
    about: "Executes a plan, and asks for each action that needs approval; answers come by `answer`.",
    request: z.strictObject({
      session,
      turn: z.optional(text),
      /** `all`: nothing is asked but what a policy wants to be asked, and what steers Clew itself. */
      approve: z.enum(["ask", "all"]),
    }),
    response: executionNews,
    errors: [...errors, "needs_approval"],
  },
  answer: {
    effect: "decides",
    where: "local",
    about: "Answers a question of an execution that this process drives.",
    request: z.strictObject({ id: text, answer }),
    response: z.strictObject({}),
    errors: ["not_possible_now"],
  },
  executeApproved: {
    ...decides,
    about: "Executes a plan without questions: all of it is approved, only what policies allow, or single actions.",
    request: z.strictObject({
      session,
      turn: z.optional(text),
      /** Numbers of actions: these are approved. All others that change or run something are denied, also those that a rule allows. */
      approve: z.union([z.enum(["all", "allowed"]), z.array(count).check(z.maxLength(10_000))]),
      /** Memo changes are approved on their own. */
      memos: z.optional(z.enum(["accept", "reject"])),
    }),
    response: executed,
    errors: [...errors, "needs_approval"],
  },
  undo: {
    ...decides,
    about: "Takes back what a turn made of files, while nothing else has changed them.",
    request: z.strictObject({ session, turn: text, dry_run: z.optional(z.boolean()) }),
    response: z.strictObject({ session_id: text, turn: text, files: z.array(changedFile), undone: z.boolean() }),
    errors,
  },
  diff: {
    ...reads,
    about: "How two turns differ: their plans, their reports, and what they made of files.",
    request: z.strictObject({
      session,
      a: text,
      /** The turn before `a` in its line when absent. */
      b: z.optional(text),
    }),
    response: z.strictObject({
      session_id: text,
      a: text,
      b: text,
      plan: text,
      report: text,
      /** What each turn made of a file, where that differs. */
      files: z.array(z.strictObject({ path: text, diff: text })),
    }),
    errors,
  },
  verify: {
    ...reads,
    about: "Whether the folders of turns are as their lines in turns.jsonl say.",
    request: z.strictObject({ session }),
    response: z.strictObject({
      sessions: z.array(
        z.strictObject({
          session_id: text,
          turns: z.array(
            z.strictObject({
              turn: text,
              status: z.enum(turnStates),
              files: z.array(z.strictObject({ name: text, status: z.enum(turnStates) })),
            }),
          ),
          /** What is wrong with its turns.jsonl; the lines that can be read are compared all the same. */
          problem: z.exactOptional(text),
        }),
      ),
      intact: z.boolean(),
    }),
    errors,
  },
} as const satisfies OperationTable;

export type ExecutionsApi = ApiOf<typeof executionOperations>;
