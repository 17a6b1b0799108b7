import type { BeadDetails } from "../../contract/api/bead-shapes.ts";
import { labelsOf, priorityOf, statusOf, typeOf } from "../../contract/bead.ts";
import type { Json } from "../../contract/grimoire.ts";
import { circleInWords } from "../../text/circle-in-words.ts";
import { paintPriority, paintStatus, type Look } from "./bead-words.ts";
import { cleanLine } from "./clean.ts";
import { markdownLines } from "./markdown.ts";
import { ago, localTime } from "./time.ts";

/** A bead as a person reads it: what and when, what it waits for, then its texts. */
export function viewBead(look: Look, shown: BeadDetails): string {
  const { bead } = shown;
  const texts: [string, Json | undefined][] = [
    ["Description", bead.description],
    ["Design", bead.design],
    ["Acceptance criteria", bead.acceptance_criteria],
    ["Notes", bead.notes],
  ];
  const sections = texts.flatMap(([title, body]) =>
    typeof body === "string" && body.trim() !== "" ? [section(look, title, body)] : [],
  );
  return [viewHead(look, shown), ...sections, ...viewComments(look, bead["comments"])].join("\n\n");
}

function viewHead(look: Look, shown: BeadDetails): string {
  const { colors } = look;
  const { bead, run } = shown;
  const facts: [string, string][] = [
    ["bead", bead.id],
    ["type", typeOf(bead)],
    ["labels", labelsOf(bead).join(", ")],
    ["assignee", text(bead.assignee)],
    ["created", [time(look, bead.created_at), text(bead.created_by)].filter((each) => each !== "").join(" by ")],
    ["started", time(look, bead.started_at)],
    ["due", time(look, bead.due_at)],
    ["deferred", Date.parse(text(bead.defer_until)) > look.nowMs() ? `until ${time(look, bead.defer_until)}` : ""],
    ["closed", [time(look, bead.closed_at), text(bead.close_reason)].filter((each) => each !== "").join(": ")],
    ["estimate", typeof bead.estimated_minutes === "number" ? `${bead.estimated_minutes} min` : ""],
    ["elsewhere", text(bead.external_ref)],
    ["part of", shown.parents.join(", ")],
    ["contains", shown.children.join(", ")],
    ["waits for", shown.blocked_by.join(", ")],
    ["held by", shown.held_by_parent.map((id) => `${id}, which is blocked or deferred itself`).join("; ")],
    ["circle", shown.circle.length === 0 ? "" : `↻ it waits for itself: ${circleInWords(shown.circle)}`],
    ["blocks", shown.blocks.join(", ")],
    ["related", shown.related.map(({ id, type }) => `${id} (${type})`).join(", ")],
    ["run", run ? `${run.id} · ${run.status} · ${run.next}` : ""],
    ["deleted", shown.deleted.map(({ id, at }) => `${id}${at === null ? "" : `, ${time(look, at)}`}`).join("; ")],
    ["missing", shown.missing.map((id) => `${id}, which no bead is`).join("; ")],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === "" ? [] : [`  ${colors.dim(name.padEnd(9))} ${cleanLine(value)}`],
  );
  const status = paintedStatus(look, shown);
  return [
    `${colors.bold(cleanLine(bead.title))}  ${paintPriority(colors, priorityOf(bead))} · ${status}`,
    ...lines,
  ].join("\n");
}

function paintedStatus({ colors }: Look, { bead, ready, standing }: BeadDetails): string {
  const status = paintStatus(colors, cleanLine(statusOf(bead)));
  if (ready) return `${status} · ${colors.green("ready")}`;
  return standing === statusOf(bead) ? status : `${status} · ${paintStatus(colors, standing)}`;
}

function viewComments(look: Look, comments: Json | undefined): string[] {
  if (!Array.isArray(comments)) return [];
  return comments.flatMap((comment) => {
    if (typeof comment !== "object" || comment === null || Array.isArray(comment)) return [];
    const by = [text(comment["author"]), time(look, comment["created_at"])].filter((each) => each !== "");
    return [section(look, ["Comment", ...by].join(" · "), text(comment["text"]))];
  });
}

function section(look: Look, title: string, body: string): string {
  const lines = markdownLines(look, body.trimEnd(), look.width - 2).map((line) => `  ${line}`.trimEnd());
  return [look.colors.bold(cleanLine(title)), ...lines].join("\n");
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function time({ nowMs }: Look, value: Json | undefined): string {
  if (typeof value !== "string") return "";
  const shown = localTime(value);
  return Date.parse(value) <= nowMs() ? `${shown} · ${ago(value, nowMs())}` : shown;
}
