import type { Json } from "../contract/json.ts";

/** As much of a text's beginning as fits into so many bytes. */
export function headOf(text: string, longestBytes: number): string {
  // A code unit takes three bytes at most.
  if (text.length * 3 <= longestBytes) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(longestBytes)).read);
}

/** A text of at most so many bytes, with a mark where the rest is missing; the transcript has it whole. */
export function cutText(text: string, longestBytes: number): string {
  const head = headOf(text, longestBytes);
  const missing = text.length - head.length;
  return missing === 0 ? text : `${head}\n[cut here: ${missing} more characters stand in the engine's transcript]`;
}

/** The same for JSON: an input that is too long becomes a text, cut. */
export function cutJson(value: Json, longestBytes: number): Json {
  if (typeof value === "string") return cutText(value, longestBytes);
  const text = JSON.stringify(value);
  const cut = cutText(text, longestBytes);
  return cut === text ? value : cut;
}
