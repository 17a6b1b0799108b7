import type { SessionAgent } from "../../contract/api/session-agent.ts";
import type { Redacted } from "../../contract/redacted.ts";

/** What a person tells an agent. */
export type AgentOrder = { kind: "message"; text: string } | { kind: "stop"; kill: boolean };

export interface WaitingOrder {
  id: string;
  order: AgentOrder;
}

/** What became of an order: delivered, or refused in words. */
export interface OrderEnd {
  refusal?: string;
}

/**
 * The agents of work sessions and talks, as the processes that drive them tell of them, and what other processes tell those. Not the
 * session's own text: that stands in the agent's folder, where it could write an order itself.
 */
export interface AgentHandles {
  /** Those whose driver lives. */
  list(): SessionAgent[];
  /** Tells of an agent that this process drives, from its beginning on. What was ordered of an earlier one of its session goes. */
  tell(session: string, agent: Redacted<SessionAgent>, isNew: boolean): void;
  /** The agent has ended: what still waits is taken up by nobody. */
  close(session: string): void;
  /** What waits for the agent that this process drives, the first first. Each is given once. */
  take(session: string): WaitingOrder[];
  settle(session: string, order: string, end: OrderEnd): void;
  /** Leaves an order, under this id. */
  order(session: string, id: string, order: Redacted<AgentOrder>): void;
  /** Undefined while it is not known. */
  endOf(session: string, order: string): OrderEnd | undefined;
  /** False when it was taken up already. */
  withdraw(session: string, order: string): boolean;
}
