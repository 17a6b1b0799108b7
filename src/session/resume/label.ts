import { asOneLine } from "../text.ts";
import { shorten } from "./tokens.ts";

/** A name or title on one line and of bounded length, so that the frame of a context is small whatever was logged. */
export function label(text: string, tokens: number): string {
  return shorten(asOneLine(text), tokens);
}
