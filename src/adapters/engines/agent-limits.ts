/** How long an engine may take. On a busy machine some take that long. */
export const defaultTimeouts = {
  /** To act on an interrupt, and again to end once its stdin is closed. */
  stopMs: 15_000,
  /** To print something of its session; one that resumes in a wrong folder, or waits for a server of tools, may print nothing, ever. */
  firstEventMs: 180_000,
  /** For a call of `submit_result`. Most engines give up before, and can still say their result. */
  resultCallMs: 90_000,
};
export type AgentTimeouts = typeof defaultTimeouts;

/** What an engine may print. Nothing of it is held in memory, and an agent may work for many hours. */
export const defaultMaxOutputBytes = 8 * 1024 ** 3;
