import { InvalidArgumentError, Option } from "commander";

export interface PortOption {
  port?: number;
}

export function portOption(): Option {
  return new Option("--port <n>", "listen on 127.0.0.1, too, at this port; 0 takes one that is free").argParser(
    readPort,
  );
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}
