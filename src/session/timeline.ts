import type { TimelineEvent } from "../contract/api/session-report.ts";
import type { RemarkEntry, SubagentEntry, Task } from "../contract/session.ts";
import type { Item } from "./items.ts";

/** When the session of a subagent tells that it worked; null where it is not known. */
export type TimeOfSubagent = (entry: SubagentEntry) => string | null;

/** What a body tells of what happened, in its order. Only phases, remarks and subagents with a session have a time. */
export function itemEvents(items: readonly Item[], timeOf: TimeOfSubagent): TimelineEvent[] {
  let phase: string | undefined;
  let tasks: Task[] = [];
  let phases = 0;
  return items.flatMap((item): TimelineEvent[] => {
    if (item.kind === "phase") {
      phases += 1;
      phase = item.mark?.id ?? `phase-${phases}`;
      return [{ at: item.mark?.at ?? null, kind: "phase", text: phaseText(item), phase }];
    }
    const place = { at: null, ...(phase !== undefined && { phase }) };
    if (item.kind === "tasks") {
      const changes = taskChanges(tasks, item.tasks);
      tasks = item.tasks;
      return changes.map((text) => ({ ...place, kind: "task", text }));
    }
    const event = entryEvent(item, timeOf);
    return event ? [{ ...place, ...event }] : [];
  });
}

function phaseText({ title, agent }: Extract<Item, { kind: "phase" }>): string {
  return agent === undefined ? title : `${title} @${agent}`;
}

type EntryEvent = Pick<TimelineEvent, "kind" | "text" | "failed"> & Partial<Pick<TimelineEvent, "at" | "duration_ms">>;

/** Undefined for what only says something. */
function entryEvent(item: Item, timeOf: TimeOfSubagent): EntryEvent | undefined {
  switch (item.kind) {
    case "tool":
      return { kind: "call", text: `${item.name} ${item.args}`.trim(), ...(item.failed && { failed: true }) };
    case "decision":
      return { kind: "decision", text: item.text };
    case "decision_needed":
    case "approval_required":
      return { kind: "question", text: item.text };
    case "answer":
    case "user":
      return { kind: item.kind, text: item.text };
    case "error":
      return { kind: "error", text: item.text, failed: true };
    case "task_complete":
      return { kind: "complete", text: item.text };
    case "remark":
      return remarkEvent(item);
    case "subagent": {
      const link = item.session === undefined ? "" : ` → ${item.session}`;
      return {
        at: timeOf(item),
        kind: "subagent",
        text: `@${item.agent}${link}${item.summary === undefined ? "" : `: ${item.summary}`}`,
      };
    }
    default:
      return undefined;
  }
}

function remarkEvent({ about, at, until, text }: RemarkEntry): EntryEvent {
  const ms = at === undefined || until === undefined ? NaN : Date.parse(until) - Date.parse(at);
  return {
    ...(at !== undefined && { at }),
    kind:
      about === undefined || about === "rehydrated"
        ? "remark"
        : about === "paused" || about === "compacted"
          ? about
          : "ended",
    text,
    ...(about === "failed" && { failed: true }),
    ...(ms >= 0 && { duration_ms: ms }),
  };
}

function taskChanges(before: readonly Task[], after: readonly Task[]): string[] {
  const known = new Map(before.map((task) => [task.id, task]));
  return after.flatMap(({ id, content, status }) => {
    const old = known.get(id);
    if (!old) return [`${content}: ${status}`];
    return old.status === status ? [] : [`${content}: ${old.status} → ${status}`];
  });
}
