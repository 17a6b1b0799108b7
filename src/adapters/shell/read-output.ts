import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Output } from "./gate.ts";

/** A child that prints more is ended: nobody reads it, and somebody has to keep it. */
export const maxOutputBytes = 64 * 1024 * 1024;

export interface OutputListeners {
  onStdout(text: string): void;
  onStderr(text: string): void;
  /** There was too much of it; nothing more is told. */
  onTooMuch(): void;
  /** A listener threw; nothing more is told. */
  onThrown(error: unknown): void;
}

export interface Reading {
  /** Nobody can print any more, and all was told. */
  closed: Promise<unknown>;
  /** All that was printed before the call is told when this resolves, even when somebody still can print. */
  finish(): Promise<void>;
}

/** Tells what a child prints as text, its letters whole. */
export function readOutput({ stdout, stderr }: Output, listeners: OutputListeners): Reading {
  let room = maxOutputBytes;
  let isClosed = false;

  function tell(listener: (text: string) => void, text: string): void {
    if (isClosed || text === "") return;
    try {
      listener(text);
    } catch (error) {
      isClosed = true;
      listeners.onThrown(error);
    }
  }

  function read(stream: Readable, listener: (text: string) => void): { closed: Promise<void>; finish: () => void } {
    const decoder = new StringDecoder("utf8");
    stream.on("error", () => stream.destroy());
    stream.on("data", (bytes: Buffer) => {
      if (isClosed) return;
      const part = bytes.subarray(0, room);
      room -= part.length;
      tell(listener, decoder.write(part));
      if (part.length === bytes.length) return;
      isClosed = true;
      listeners.onTooMuch();
    });
    return {
      closed: new Promise((resolve) => stream.once("close", () => resolve())),
      finish() {
        stream.destroy();
        tell(listener, decoder.end());
      },
    };
  }

  const readings = [read(stdout, (text) => listeners.onStdout(text)), read(stderr, (text) => listeners.onStderr(text))];
  return {
    closed: Promise.all(readings.map(({ closed }) => closed)),
    async finish() {
      // A whole turn of the event loop reads far more than a pipe can hold; the turn that we are in may be past reading.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      for (const reading of readings) reading.finish();
    },
  };
}
