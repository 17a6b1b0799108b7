import { isEmpty, type HoleRange, type Input, type Reading } from "./reading.ts";

/** Judges holes that come to a command through its standard input. */
export function takeInput(reading: Reading, input: Input, holes: HoleRange): void {
  if (isEmpty(holes)) return;
  if ("where" in input) reading.refuse(holes, input);
  else for (const name of input.names) reading.assignments.push({ name, declared: false, holes });
}
