import type { EvidenceLine, HookEngine, HookLine } from "../../contract/hook.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import { engineOf, eventOf } from "../../hook/events.ts";
import { readPayload } from "../../hook/payload.ts";
import { hookLine, textIn } from "./hook-line.ts";
import type { HookFiles, MarkedCaller } from "./ports.ts";

interface HookCall {
  /** The event as the command names it; the payload's own where it names none. */
  event: string | undefined;
  engine: string | undefined;
  input: string;
  folder: string;
  /** Undefined when the user started the agent. */
  caller: MarkedCaller | undefined;
  via: EvidenceLine["via"];
  at: string;
}

interface Parts {
  files: HookFiles;
  redact: RedactValue;
}

/** Keeps what an engine tells, durably. Returns what happened there. Throws an Error in words when it cannot be kept. */
export function receiveHook({ files, redact }: Parts, call: HookCall): Pick<HookLine, "event" | "engine"> {
  const { input, folder, caller, via, at } = call;
  const fields = readPayload(input);
  const what = via === "http" ? "the body" : "what came on stdin";
  if (!fields) throw new Error(input.trim() === "" ? "nothing came" : `${what} is no JSON object`);
  const { event, engine } = namesIn(call, fields);
  const { line, hook } = hookLine(redact, { event, engine, fields, folder, caller, via, at });
  const session = textIn(hook, "session_id");
  if (caller) files.evidence(caller.owner, line);
  else if (session === undefined) throw new Error(`${what} names no session_id`);
  else files.spool(engine, session, line);
  return { event, engine };
}

/** What an engine asks, and what it sent; nothing of that where it cannot be read. Never throws. */
export function hookNames(call: Pick<HookCall, "event" | "engine">, input: string): HookNames {
  const fields = readPayload(input) ?? {};
  return { ...namesIn(call, fields), fields };
}

interface HookNames {
  event: string;
  engine: HookEngine;
  fields: Record<string, unknown>;
}

function namesIn(call: Pick<HookCall, "event" | "engine">, fields: HookNames["fields"]): Omit<HookNames, "fields"> {
  const event = eventOf(call.event ?? textIn(fields, "hook_event_name") ?? "");
  return { event, engine: engineOf(call.engine, fields) };
}
