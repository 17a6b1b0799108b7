import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ByteDecoder } from "./byte-decoder.ts";
import type { Output } from "./gate.ts";

type Decoder = Pick<ByteDecoder, "write" | "end">;

/** A child that prints more is ended: no person reads so much, and it has to be stored. */
export const maxOutputBytes = 64 * 1024 * 1024;

export interface OutputListeners {
  onStdout(text: string): void;
  onStderr(text: string): void;
  /** The child printed too much; no listener is called any more. */
  onTooMuch(): void;
  /** A listener threw; no listener is called any more. */
  onThrown(error: unknown): void;
}

export interface OutputReading {
  /** Both streams are closed, and all was read. */
  closed: Promise<unknown>;
  /** All that was printed before the call has been read when this resolves, even when a stream is still open. */
  finish(): Promise<void>;
}

export interface ReadingOptions {
  maxBytes?: number | undefined;
  /** Whether bytes of stdout that are no UTF-8 come as `ByteDecoder` tells them, and not as U+FFFD. */
  keepsBytes?: boolean | undefined;
}

/** Passes a child's output to the listeners as text, never splitting a character. */
export function readOutput(
  { stdout, stderr }: Output,
  listeners: OutputListeners,
  { maxBytes = maxOutputBytes, keepsBytes = false }: ReadingOptions = {},
): OutputReading {
  let room = maxBytes;
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

  function read(
    stream: Readable,
    listener: (text: string) => void,
    decoder: Decoder = new StringDecoder("utf8"),
  ): { closed: Promise<void>; finish: () => void } {
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

  const onStdout = (text: string): void => listeners.onStdout(text);
  const readings = [
    read(stdout, onStdout, keepsBytes ? new ByteDecoder() : undefined),
    read(stderr, (text) => listeners.onStderr(text)),
  ];
  return {
    closed: Promise.all(readings.map(({ closed }) => closed)),
    async finish() {
      // A whole turn of the event loop reads far more than a pipe can hold; the current turn may be past its read phase.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      for (const reading of readings) reading.finish();
    },
  };
}
