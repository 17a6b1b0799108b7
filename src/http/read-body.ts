/** Why a body could not be read: it was too long, no UTF-8, or the client went away. */
export type BodyProblem = "too long" | "not UTF-8" | "cut off";

/** Of a body that is too long, so many times the limit is read and dropped: who still sends does not hear an answer. */
const maxDropped = 16;

/** The text of a body. Never throws, and keeps no more than the limit. */
export async function readBody(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ text: string } | { problem: BodyProblem }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > maxBytes * maxDropped) return { problem: "cut off" };
    }
  } catch {
    return { problem: "cut off" };
  }
  if (size > maxBytes) return { problem: "too long" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { problem: "not UTF-8" };
  }
}
