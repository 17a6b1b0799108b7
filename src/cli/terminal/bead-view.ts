import type { BeadDetails } from "../../contract/api/bead-shapes.ts";
import { labelsOf, priorityOf, beadStatusOf, beadTypeOf } from "../../contract/bead.ts";
import type { Json } from "../../contract/grimoire.ts";
import { circleInWords } from "../../text/circle-in-words.ts";
import type { Screen } from "../context.ts";
import { paintPriority, paintBeadStatus } from "./bead-words.ts";
import { cleanLine } from "./clean.ts";
import { markdownLines } from "./markdown.ts";
import { ago, localTime } from "./time.ts";
import { factLines } from "./words.ts";
import { isObject } from "../../text/is-object.ts";

/** A bead as a person reads it: what and when, what it waits for, then its texts. */
export function viewBead(screen: Screen, details: BeadDetails): string {
  const { bead } = details;
  const texts: [string, Json | undefined][] = [
    ["Description", bead.description],
    ["Design", bead.design],
    ["Acceptance criteria", bead.acceptance_criteria],
    ["Notes", bead.notes],
  ];
  const sections = texts.flatMap(([title, body]) =>
    typeof body === "string" && body.trim() !== "" ? [section(screen, title, body)] : [],
  );
  return [viewHead(screen, details), ...sections, ...viewComments(screen, bead["comments"])].join("\n\n");
}

function viewHead(screen: Screen, details: BeadDetails): string {
  const { colors } = screen;
  const { bead, run, work } = details;
  const facts: [string, string][] = [
    ["bead", bead.id],
    ["type", beadTypeOf(bead)],
    ["labels", labelsOf(bead).join(", ")],
    ["assignee", text(bead.assignee)],
    ["created", [time(screen, bead.created_at), text(bead.created_by)].filter((each) => each !== "").join(" by ")],
    ["started", time(screen, bead.started_at)],
    ["due", time(screen, bead.due_at)],
    ["deferred", Date.parse(text(bead.defer_until)) > screen.nowMs() ? `until ${time(screen, bead.defer_until)}` : ""],
    ["closed", [time(screen, bead.closed_at), text(bead.close_reason)].filter((each) => each !== "").join(": ")],
    ["estimate", typeof bead.estimated_minutes === "number" ? `${bead.estimated_minutes} min` : ""],
    ["elsewhere", text(bead.external_ref)],
    ["part of", details.parents.join(", ")],
    ["contains", details.children.join(", ")],
    ["waits for", details.blocked_by.join(", ")],
    ["held by", details.held_by_parent.map((id) => `${id}, which is blocked or deferred itself`).join("; ")],
    ["circle", details.circle.length === 0 ? "" : `↻ it waits for itself: ${circleInWords(details.circle)}`],
    ["blocks", details.blocks.join(", ")],
    ["related", details.related.map(({ id, type }) => `${id} (${type})`).join(", ")],
    ["work", work ? `${work.session} · ${work.next}` : ""],
    ["run", run ? `${run.id} · ${run.status} · ${run.next}` : ""],
    ["deleted", details.deleted.map(({ id, at }) => `${id}${at === null ? "" : `, ${time(screen, at)}`}`).join("; ")],
    ["missing", details.missing.map((id) => `${id}, which no bead is`).join("; ")],
  ];
  const status = viewStatus(screen, details);
  return [
    `${colors.bold(cleanLine(bead.title))}  ${paintPriority(colors, priorityOf(bead))} · ${status}`,
    ...factLines(colors, facts, 9),
  ].join("\n");
}

function viewStatus({ colors }: Screen, { bead, ready, standing }: BeadDetails): string {
  const status = paintBeadStatus(colors, cleanLine(beadStatusOf(bead)));
  if (ready) return `${status} · ${colors.green("ready")}`;
  return standing === beadStatusOf(bead) ? status : `${status} · ${paintBeadStatus(colors, standing)}`;
}

function viewComments(screen: Screen, comments: Json | undefined): string[] {
  if (!Array.isArray(comments)) return [];
  return comments.flatMap((comment) => {
    if (!isObject(comment)) return [];
    const by = [text(comment["author"]), time(screen, comment["created_at"])].filter((each) => each !== "");
    return [section(screen, ["Comment", ...by].join(" · "), text(comment["text"]))];
  });
}

function section(screen: Screen, title: string, body: string): string {
  const lines = markdownLines(screen, body.trimEnd(), screen.width - 2).map((line) => `  ${line}`.trimEnd());
  return [screen.colors.bold(cleanLine(title)), ...lines].join("\n");
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function time({ nowMs }: Screen, value: Json | undefined): string {
  if (typeof value !== "string") return "";
  const timeText = localTime(value);
  return Date.parse(value) <= nowMs() ? `${timeText} · ${ago(value, nowMs())}` : timeText;
}
