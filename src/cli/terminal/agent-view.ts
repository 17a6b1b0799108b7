import type { EngineEvent } from "../../contract/engine.ts";
import { callSubject } from "../../text/tool-call.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { editLines } from "./edit-view.ts";
import { fit } from "./width.ts";

/** So much of a tool's result is shown in its line. */
const maxResult = 200;

/** What an agent does, as text that is written while it happens: each piece goes where the one before ended. */
export class AgentView {
  readonly #screen: Screen;
  /** Calls without a result so far: their line is written with the result. */
  readonly #calls = new Map<string, { name: string; input: unknown }>();
  /** What the last pieces that were written belong to; undefined at the beginning of a line. */
  #open: "message" | "thinking" | undefined;
  /** The kinds whose text was written in pieces already, since the last whole one. */
  readonly #streamed = new Set<"message" | "thinking">();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  add(event: EngineEvent): string {
    const { colors } = this.#screen;
    switch (event.type) {
      case "delta":
        return event.parent === undefined ? this.#piece(event.of, event.text) : "";
      case "message":
      case "thinking":
        return event.parent === undefined ? this.#whole(event.type, event.text) : "";
      case "tool_call":
        this.#calls.set(event.id, { name: event.name, input: event.input });
        return "";
      case "tool_result": {
        const call = this.#calls.get(event.id) ?? { name: event.name ?? "tool", input: {} };
        this.#calls.delete(event.id);
        return this.#close() + this.#callLines(call, event.output, event.failed);
      }
      case "error":
        return `${this.#close()}${colors.red("!")} ${cleanLine(event.message)}\n`;
      case "oversized":
        return `${this.#close()}${colors.red("!")} a line of ${event.chars} characters: see its transcript\n`;
      default:
        return "";
    }
  }

  /** What it is at, in a word or two; undefined while a line is open, which shows that it lives. */
  get current(): string | undefined {
    if (this.#open !== undefined) return undefined;
    const call = [...this.#calls.values()].at(-1);
    return call ? `${cleanLine(call.name)} ${cleanLine(callSubject(call.input) ?? "")}`.trimEnd() : "thinks";
  }

  /** Ends the line that is open. */
  end(): string {
    return this.#close();
  }

  #piece(kind: "message" | "thinking", text: string): string {
    const before = this.#open === kind ? "" : this.#close();
    this.#open = kind;
    this.#streamed.add(kind);
    return before + this.#paint(kind, clean(text));
  }

  #whole(kind: "message" | "thinking", text: string): string {
    const wasStreamed = this.#streamed.delete(kind);
    if (wasStreamed) return this.#open === kind ? this.#close() : "";
    if (text.trim() === "") return "";
    return `${this.#close()}${this.#paint(kind, clean(text.trimEnd()))}\n`;
  }

  #close(): string {
    const isOpen = this.#open !== undefined;
    this.#open = undefined;
    return isOpen ? "\n" : "";
  }

  #paint(kind: "message" | "thinking", text: string): string {
    return kind === "message" ? text : this.#screen.colors.dim(text);
  }

  #callLines({ name, input }: { name: string; input: unknown }, output: string, failed: boolean): string {
    const { colors, width } = this.#screen;
    const mark = failed ? colors.red("✗") : colors.green("●");
    const subject = cleanLine(callSubject(input) ?? "");
    const result = cleanLine(output.trim().slice(0, maxResult));
    const line = fit([name, subject, ...(result === "" ? [] : ["→", result])].filter(Boolean).join(" "), width - 3);
    const [first = "", ...rest] = line.split(" ");
    const edits = failed ? [] : editLines(input, this.#screen);
    return [`${mark} ${colors.bold(cleanLine(first))} ${rest.join(" ")}`.trimEnd(), ...edits].join("\n").concat("\n");
  }
}
