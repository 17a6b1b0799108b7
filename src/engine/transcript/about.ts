import type { Json } from "../../contract/json.ts";
import { textOf } from "../read-fields.ts";
import type { TranscriptAbout } from "./event.ts";

/** Notes what is not known yet, as far as it is a text. */
export function note(about: TranscriptAbout, news: { [Key in keyof TranscriptAbout]: Json | undefined }): void {
  for (const [key, value] of Object.entries(news)) {
    const text = textOf(value);
    if (text !== undefined) about[key as keyof TranscriptAbout] ??= text;
  }
}
