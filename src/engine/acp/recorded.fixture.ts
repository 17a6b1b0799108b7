import type { EngineEvent } from "../../contract/engine.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../read-fields.ts";
import { AcpConversation, type AcpManners, type AcpOpening } from "./conversation.ts";

interface RecordedLine {
  case: string;
  /** What the real program read. */
  in?: Fields;
  /** What it printed. */
  out?: Fields;
}

/** What was said in one session with the real program; `recording` has several. */
function recorded(recording: string, name: string): RecordedLine[] {
  const lines = recording.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RecordedLine).filter((line) => line.case === name);
}

/** Has the session again with what the program printed then; `written` is what it is told now, `expected` what it was told then. */
export function replay(
  recording: string,
  name: string,
  manners: AcpManners,
  modes: string[] = [],
): { events: EngineEvent[]; written: Fields[]; expected: Fields[] } {
  const lines = recorded(recording, name);
  const expected = lines.flatMap((line): Fields[] => (line.in ? [line.in] : []));
  const written: Fields[] = [];
  const [first] = expected.flatMap(promptIn);
  const opening: AcpOpening = { prompt: first!, folder: "/repo", modes };
  const conversation = new AcpConversation(opening, manners, (text) => {
    written.push(JSON.parse(text) as Fields);
    return undefined;
  });
  const events: EngineEvent[] = [];
  conversation.begin();
  for (const line of lines) {
    if (line.out) events.push(...conversation.read(JSON.stringify(line.out)));
    else if (line.in && !written.some(({ id, method }) => id === line.in!.id && method === line.in!.method)) {
      tell(conversation, line.in);
    }
  }
  events.push(...conversation.end());
  return { events, written, expected };
}

/** What a person did then. */
function tell(conversation: AcpConversation, { id, method, params, result }: Fields): void {
  const optionId = textOf(fieldsOf(fieldsOf(result).outcome).optionId);
  if (optionId !== undefined) conversation.answer(JSON.stringify(id), optionId);
  else if (method === "session/cancel") conversation.interrupt();
  else for (const text of promptIn({ method: method!, params: params! })) conversation.send(text);
}

function promptIn({ method, params }: Fields): string[] {
  if (method !== "session/prompt") return [];
  return listOf(fieldsOf(params).prompt).flatMap((block) => textOf(fieldsOf(block).text) ?? []);
}
