import type { Gate } from "../../contract/gate.ts";

/** What a gate asks for, in a line for people. */
export function gateText(gate: Gate): string {
  return gate.kind === "command" ? gate.command : (gate.match ?? gate.tool);
}
