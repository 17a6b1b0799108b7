/** What is written on the stdin of an engine while it works. Every text is whole lines, and is written as it is. */
export interface EngineInput {
  /** The prompt, or a further message. */
  message(text: string): string;
  /** Answers a permission. `request` is the line that asked, as the engine printed it: events may be redacted. */
  answer(request: string, optionId: string): string;
  /** Ends the round that it is at; the engine stays. */
  interrupt(): string;
}
