import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import type { Served } from "./served.ts";

export interface ReadEvent {
  id?: number;
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- as JSON.parse gives it
  data: any;
}

interface Reading {
  headers?: Record<string, string>;
  /** Takes nothing from its connection until it is told to `hear`. */
  isDeaf?: boolean;
}

/** A client of one stream, on the daemon's socket, which knows no more than HTTP. It does not come back by itself. */
export class EventReader implements Disposable {
  readonly events: ReadEvent[] = [];
  /** What came that was no event: heartbeats. */
  text = "";
  status = 0;
  headers: IncomingHttpHeaders = {};
  isOver = false;
  hear = (): void => undefined;
  readonly #request: ClientRequest;

  private constructor(asking: ClientRequest) {
    this.#request = asking;
  }

  static open(
    { daemon }: Pick<Served, "daemon">,
    path: string,
    { headers, isDeaf }: Reading = {},
  ): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const asking = request({
        socketPath: daemon.socket,
        path,
        agent: false,
        headers: { accept: "text/event-stream", ...headers },
      });
      const reader = new EventReader(asking);
      asking.on("error", reject).on("response", (response) => {
        reader.#read(response, isDeaf ?? false);
        resolve(reader);
      });
      asking.end();
    });
  }

  #read(response: IncomingMessage, isDeaf: boolean): void {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    const over = (): void => void (this.isOver = true);
    response.on("close", over).on("error", over);
    if (isDeaf) this.hear = () => this.#hear(response);
    else this.#hear(response);
  }

  #hear(response: IncomingMessage): void {
    const parser = createParser({
      onEvent: ({ id, event = "", data }) =>
        this.events.push({ ...(id !== undefined && { id: Number(id) }), event, data: JSON.parse(data) }),
    });
    response.setEncoding("utf8").on("data", (text: string) => {
      this.text += text;
      parser.feed(text);
    });
  }

  /** The numbers of what came, in the order in which it came. */
  get ids(): number[] {
    return this.events.flatMap(({ id }) => id ?? []);
  }

  [Symbol.dispose](): void {
    this.#request.destroy();
  }
}
