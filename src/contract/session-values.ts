/** The fixed words of a session's record, and the forms of its ids and names. */

/** Ids become paths, so they are these letters and nothing else. */
export const sessionIdPattern = /^[a-z0-9][a-z0-9-]{0,127}$/;
/** Ids of what waits for a person. */
export const questionIdPattern = /^q-[a-z0-9]{4,32}$/;

/** `NAME` or `NAME@VERSION`, and a channel, as a heading can hold them. */
export const agentPattern = /^[^\s\p{Cc}@#()[\]]+(?:@[^\s\p{Cc}@#()[\]]+)?$/u;
export const channelPattern = /^[^\s\p{Cc}#@]+$/u;

/** What an engine calls an agent, as a heading can hold it; undefined when nothing is left of it. */
export function asAgentName(text: string): string | undefined {
  const name = text.replace(/[\s@#()[\]]+/g, "-").slice(0, 60);
  return agentPattern.test(name) ? name : undefined;
}

export const statuses = ["active", "paused", "completed", "failed", "abandoned"] as const;
export type Status = (typeof statuses)[number];

/** The statuses that end a session. */
export const endStatuses = ["completed", "failed", "abandoned"] as const;
export type EndStatus = (typeof endStatuses)[number];

export const sessionKinds = ["work", "run", "turns", "import", "chat"] as const;
export type SessionKind = (typeof sessionKinds)[number];

export const subagentModes = ["inline", "link", "embed"] as const;
export type SubagentMode = (typeof subagentModes)[number];

/**
 * What a remark of Clew's own may be about: what the session was before it went on, that an engine shortened what its model sees, and
 * that the agent was told again where it stands.
 */
export const remarkSubjects = ["paused", "completed", "failed", "abandoned", "compacted", "rehydrated"] as const;

export const textKinds = ["text", "decision", "task_complete", "note"] as const;
export type TextKind = (typeof textKinds)[number];
/** What waits for a person. Each such entry carries an id, and an `answer` naming that id settles it. */
export const questionKinds = ["decision_needed", "approval_required"] as const;
export type QuestionKind = (typeof questionKinds)[number];

export const taskStatuses = ["pending", "in_progress", "completed"] as const;
