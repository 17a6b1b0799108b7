/** The id of the question that a wait asks, from the number of its event: the same however often it is projected. */
export function waitQuestionId(runId: string, n: number): string {
  let hash = 0x811c9dc5;
  for (const char of `${runId} ${n}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return `q-${(hash >>> 0).toString(36).padStart(7, "0")}`;
}
