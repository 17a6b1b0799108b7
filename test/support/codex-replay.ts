import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent } from "../../src/contract/engine.ts";
import type { Json } from "../../src/contract/json.ts";
import { fieldsOf, listOf, objectIn, textOf, type Fields } from "../../src/engine/read-fields.ts";
import { CodexConversation, type CodexOpening } from "../../src/engine/codex/conversation.ts";

/** `in` came from the real server, `out` was sent to it. */
interface Recorded {
  note?: string;
  in?: Fields;
  out?: Fields;
}

const file = join(import.meta.dirname, "../fixtures/engines/codex.app-server.jsonl");
const recorded = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

/** The lines of one recording. */
export function recording(note: string): Recorded[] {
  const from = recorded.findIndex((line) => line.note === note) + 1;
  if (from === 0) throw new Error(`There is no recording "${note}".`);
  const to = recorded.findIndex((line, place) => place >= from && line.note !== undefined);
  return recorded.slice(from, to < 0 ? undefined : to);
}

export interface Talk {
  conversation: CodexConversation;
  written: Fields[];
  /** Reads what the server says. */
  hear: (...messages: Fields[]) => EngineEvent[];
  /** Answers the last request of this method. */
  reply: (method: string, answer: Fields) => EngineEvent[];
}

export function talk(opening: Partial<CodexOpening> = {}): Talk {
  const written: Fields[] = [];
  const conversation = new CodexConversation(
    { prompt: "do the scripted thing", folder: "/repo", thread: {}, until: "answer", ...opening },
    (text) => {
      if (text.indexOf("\n") !== text.length - 1) throw new Error("not one line");
      const { jsonrpc: _, ...message } = objectIn(text)!;
      written.push(message);
      return undefined;
    },
  );
  conversation.begin();
  const hear = (...messages: Fields[]): EngineEvent[] =>
    messages.flatMap((message) => conversation.read(JSON.stringify(message)));
  const reply = (method: string, answer: Fields): EngineEvent[] =>
    hear({ ...answer, id: written.findLast((message) => message.method === method)!.id! });
  return { conversation, written, hear, reply };
}

/** A conversation whose thread `t-1` is there and whose first turn `u-1` runs. */
export function atWork(opening: Partial<CodexOpening> = {}): Talk {
  const begun = talk(opening);
  begun.reply("initialize", { result: {} });
  begun.reply("thread/start", { result: { thread: { id: "t-1" } } });
  begun.reply("turn/start", { result: { turn: { id: "u-1", status: "inProgress" } } });
  return begun;
}

/** What the server tells of a thread. */
export function told(method: string, params: Fields, threadId = "t-1"): Fields {
  return { method, params: { threadId, ...params } };
}

/** Plays a recording: what the client did then is done again, what the server said then is read. */
export function replay(note: string, opening: Partial<CodexOpening> = {}): Talk & { events: EngineEvent[] } {
  const lines = recording(note);
  const begun = talk({ until: "talk", prompt: promptIn(lines), ...opening });
  const methods = new Map<Json, string>();
  let turns = 0;
  const events = lines.flatMap((line): EngineEvent[] => {
    const { conversation } = begun;
    const message = line.in ?? line.out!;
    const { id, method } = message;
    if (line.in && method !== undefined) return begun.hear(message);
    if (line.in) return begun.reply(methods.get(id!)!, message);
    if (method === undefined) conversation.answer(JSON.stringify(id), optionIn(fieldsOf(message.result)));
    else if (id !== undefined) methods.set(id, method as string);
    if (method === "turn/steer" || (method === "turn/start" && ++turns > 1)) conversation.send(textIn(message));
    if (method === "turn/interrupt") conversation.interrupt();
    return [];
  });
  return { ...begun, events };
}

function promptIn(lines: Recorded[]): string {
  return textIn(lines.find(({ out }) => out?.method === "turn/start")?.out ?? {});
}

function textIn({ params }: Fields): string {
  return textOf(fieldsOf(listOf(fieldsOf(params).input)[0]).text) ?? "";
}

function optionIn({ decision, action }: Fields): string {
  return textOf(decision) ?? textOf(action)!;
}
