/** What today's program makes of a fixture of journals. */
export interface ExpectedRuns {
  /** By bead: how the run stands, and what each step of it gave. */
  runs: Record<string, string[]>;
  /** What the sessions of the runs have, by bead: phases with the kinds of their entries. */
  sessions: Record<string, string[]>;
  /** What the doctor says of runs, claims, beads and worktrees. */
  doctor: string[];
  /** Commands that bring all runs to their end. */
  onwards: string[][];
  /** How the runs stand then. */
  ended: Record<string, string>;
}

const killed = [
  "interrupted 1/3",
  'prepare#1 succeeded "ready"',
  "rounds#1 interrupted",
  "rounds[1]/wait#1 interrupted",
];
const blocked = ["blocked 1/3 step_failed", 'prepare#1 succeeded "ready"', 'check#1 failed "looked"'];
const agentsResult = '{"success":true,"summary":"seconds now","outputs":{"line":12}}';
const looped = [
  "completed 2/2",
  'prepare#1 succeeded "ready"',
  'again#1 succeeded "ready in round 2"',
  `again[1]/fix#1 succeeded ${agentsResult}`,
  'again[1]/check#1 failed "ready in round 1"',
  "again[2]/fix#1 skipped",
  'again[2]/check#1 succeeded "ready in round 2"',
];
const asked = [
  'print#1 succeeded "hello"',
  'ask#1 succeeded {"success":true,"summary":"asked","outputs":{"sure":"perhaps"}}',
];
const loopedSession = [
  "prepare: tool",
  "again[1]/fix: text tool tool tokens task_complete",
  "again[1]/check: tool error",
  "again[2]/check: tool",
];
const blockedSession = ["prepare: tool", "check: tool error decision_needed"];
const retry = ["retry", "proj-2", "--input", "ok=yes"];
const resume = ["resume", "proj-4"];

/** One run per way that one can go, with every type of line. */
const allTypes: ExpectedRuns = {
  runs: {
    "proj-1": looped,
    "proj-2": blocked,
    "proj-4": killed,
    "proj-5": ["cancelled 2/3", ...asked, "cancel of the run by someone"],
    "proj-7": [
      "completed 1/1",
      'until-approved#1 succeeded "f19964bf4fe997e7d04dde0cf58eaeffeabbe2ea"',
      'until-approved[1]/write#1 succeeded ""',
      "until-approved[1]/test#1 skipped",
      'until-approved[1]/land#1 succeeded "f19964bf4fe997e7d04dde0cf58eaeffeabbe2ea"',
      "approve of until-approved[1]/land#1 by someone",
    ],
  },
  sessions: {
    "proj-1": loopedSession,
    "proj-2": blockedSession,
    "proj-4": ["prepare: tool", "rounds[1]/wait: text tool text", "rounds[1]/wait:"],
    "proj-5": ["print: text tool", "ask: error tool task_complete decision_needed answer"],
    "proj-7": ["until-approved[1]/write: tool", "until-approved[1]/land: approval_required answer text"],
  },
  doctor: [
    "RUN-proj-4 was interrupted",
    "2 held by runs",
    "agree with their runs",
    "nobody needs ROOT/.worktrees/proj-1, and all that is in it is elsewhere",
    "nobody needs ROOT/.worktrees/proj-5, and all that is in it is elsewhere",
  ],
  onwards: [retry, resume],
  ended: {
    "proj-1": "completed",
    "proj-2": "completed",
    "proj-4": "completed",
    "proj-5": "cancelled",
    "proj-7": "completed",
  },
};

const permitted: ExpectedRuns = {
  runs: {
    "proj-1": looped,
    "proj-2": blocked,
    "proj-4": killed,
    "proj-5": ["cancelled 2/3", ...asked, "cancel of the run by someone"],
    "proj-7": [
      "completed 1/1",
      'until-approved#1 succeeded "f19964bf4fe997e7d04dde0cf58eaeffeabbe2ea"',
      'until-approved[1]/write#1 succeeded ""',
      "until-approved[1]/test#1 skipped",
      'until-approved[1]/land#1 succeeded "f19964bf4fe997e7d04dde0cf58eaeffeabbe2ea"',
      "approve of until-approved[1]/land#1 by someone",
    ],
    "proj-8": [
      "completed 1/1",
      'publish#1 stopped "I publish it."',
      'publish#2 succeeded {"success":true,"summary":"published"}',
      "permission of publish#1 by someone",
    ],
    "proj-9": ["blocked 0/1 permission", 'publish#1 stopped "I publish it."'],
  },
  sessions: {
    "proj-1": loopedSession,
    "proj-2": blockedSession,
    "proj-4": ["prepare: tool", "rounds[1]/wait: text tool text", "rounds[1]/wait:"],
    "proj-5": ["print: text tool", "ask: error tool task_complete decision_needed answer"],
    "proj-7": ["until-approved[1]/write: tool", "until-approved[1]/land: approval_required answer text"],
    "proj-8": ["publish: text approval_required tool text answer", "publish (attempt 2): text text tool task_complete"],
    "proj-9": ["publish: text approval_required tool text"],
  },
  doctor: [
    "RUN-proj-4 was interrupted",
    "3 held by runs",
    "agree with their runs",
    "nobody needs ROOT/.worktrees/proj-1, and all that is in it is elsewhere",
    "nobody needs ROOT/.worktrees/proj-5, and all that is in it is elsewhere",
  ],
  onwards: [retry, resume, ["cancel", "proj-9"]],
  ended: {
    "proj-1": "completed",
    "proj-2": "completed",
    "proj-4": "completed",
    "proj-5": "cancelled",
    "proj-7": "completed",
    "proj-8": "completed",
    "proj-9": "cancelled",
  },
};

const limited: ExpectedRuns = {
  runs: {
    ...permitted.runs,
    "proj-10": [
      "completed 1/1",
      'work#1 stopped "I look."',
      'work#2 succeeded {"success":true,"summary":"went on"}',
      "retry of work#1 by someone",
    ],
    "proj-11": ["blocked 0/1 limit", 'work#1 stopped "I look."'],
  },
  sessions: {
    ...permitted.sessions,
    "proj-10": ["work: text tokens decision_needed answer", "work (attempt 2): text task_complete"],
    "proj-11": ["work: text tokens decision_needed"],
  },
  doctor: permitted.doctor.map((text) => text.replace("3 held", "4 held")),
  onwards: [...permitted.onwards, ["cancel", "proj-11"]],
  ended: { ...permitted.ended, "proj-10": "completed", "proj-11": "cancelled" },
};

/** By fixture, oldest first. */
export const expectedRuns: Record<string, ExpectedRuns> = {
  "1-first": {
    runs: { "proj-1": looped, "proj-2": blocked, "proj-4": killed, "proj-5": ["failed 2/3 bad_condition", ...asked] },
    sessions: {
      "proj-1": loopedSession,
      "proj-2": blockedSession,
      "proj-4": ["prepare: tool", "rounds[1]/wait:"],
      "proj-5": ["print: text tool", "ask: task_complete decision_needed"],
    },
    doctor: [
      "RUN-proj-4 was interrupted",
      "3 held by runs",
      "proj-5 is open, but its run RUN-proj-5 makes it blocked",
      "proj-4 is open, but its run RUN-proj-4 makes it in_progress",
      "proj-2 is open, but its run RUN-proj-2 makes it blocked",
      "0 in order",
    ],
    onwards: [retry, resume, ["cancel", "proj-5"]],
    ended: { "proj-1": "completed", "proj-2": "completed", "proj-4": "completed", "proj-5": "cancelled" },
  },
  "2-worktrees-and-merges": {
    runs: {
      "proj-3": ["pending_merge 1/2 review", 'write#1 succeeded ""', "land#1 waiting"],
      "proj-4": killed,
      "proj-6": [
        "completed 2/2",
        'write#1 succeeded ""',
        'land#1 succeeded "9737517fc62ccd352c373551249e23f60b44e446"',
        "approve of land#1 by nobody known",
      ],
    },
    sessions: {
      "proj-3": ["write: tool", "land: approval_required"],
      "proj-4": ["prepare: tool", "rounds[1]/wait:"],
      "proj-6": ["write: tool", "land: approval_required answer text"],
    },
    doctor: ["RUN-proj-4 was interrupted", "2 held by runs", "agree with their runs", "2 in order"],
    onwards: [["approve", "proj-3"], resume],
    ended: { "proj-3": "completed", "proj-4": "completed", "proj-6": "completed" },
  },
  "3-verdicts-and-proofs": {
    runs: {
      "proj-4": killed,
      "proj-7": [
        "pending_merge 0/1 review",
        "until-approved#1 waiting",
        'until-approved[1]/write#1 succeeded ""',
        "until-approved[1]/test#1 skipped",
        'until-approved[1]/land#1 failed "Once more"',
        'until-approved[2]/write#1 succeeded ""',
        'until-approved[2]/test#1 succeeded "1 passed"',
        "until-approved[2]/land#1 waiting",
        "changes of until-approved[1]/land#1 by someone",
      ],
    },
    sessions: {
      "proj-4": ["prepare: tool", "rounds[1]/wait: text"],
      "proj-7": [
        "until-approved[1]/write: tool",
        "until-approved[1]/land: approval_required answer user",
        "until-approved[2]/write: tool",
        "until-approved[2]/test: tool",
        "until-approved[2]/land: approval_required",
      ],
    },
    doctor: ["RUN-proj-4 was interrupted", "2 held by runs", "agree with their runs", "2 in order"],
    onwards: [["approve", "proj-7"], resume],
    ended: { "proj-4": "completed", "proj-7": "completed" },
  },
  "4-time-until-stop": {
    runs: { "proj-4": killed },
    sessions: { "proj-4": ["prepare: tool", "rounds[1]/wait: text"] },
    doctor: ["RUN-proj-4 was interrupted", "1 held by runs", "agree with their runs", "1 in order"],
    onwards: [resume],
    ended: { "proj-4": "completed" },
  },
  "5-all-types": allTypes,
  "6-permissions": permitted,
  "7-agent-files": allTypes,
  "8-limits": limited,
};
