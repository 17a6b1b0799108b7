import { expect, test } from "vitest";
import { ClewError } from "../../contract/errors.ts";
import { LiveHandle } from "./live-handle.ts";

const at = { path: "build", attempt: 1 };
const message = { kind: "message", text: "hello" } as const;
const stop = { kind: "stop_agent", kill: false } as const;

test("H9 a message waits for an agent that is starting; a stop does not", () => {
  const handle = new LiveHandle();
  const heard: string[] = [];
  const desk = handle.deskAt(at);
  expect(handle.deliver(stop, { to: at })).toBe("later");
  let isReady = false;
  desk.open({
    isReady: () => isReady,
    send: (text) => heard.push(text),
    stop: ({ user }) => heard.push(`stop ${user}`),
  });
  expect(handle.deliver(message, { to: at })).toBe("later");
  isReady = true;
  expect(handle.deliver(message, { to: at })).toEqual({});
  const by = { user: "ada", terminal: null, pid: 1, command: "", at: "" };
  expect(handle.deliver(stop, { to: at, by })).toEqual({});
  expect(heard).toEqual(["hello", "stop ada"]);
});

test("H9 what was for another attempt, or comes after the agent's end, is refused; so is what the agent refuses", () => {
  const handle = new LiveHandle();
  const ended = { refusal: "its agent has ended" };
  expect(handle.deliver(message, { to: at })).toEqual(ended);
  const send = (): void => {
    throw new ClewError("not_possible_now", "the agent reads no more", "wait");
  };
  const close = handle.deskAt(at).open({ isReady: () => true, send, stop: () => undefined });
  expect(handle.deliver(message, { to: { ...at, attempt: 2 } })).toEqual(ended);
  expect(handle.deliver(message, { to: null })).toEqual(ended);
  expect(handle.deliver(message, { to: at })).toEqual({ refusal: "the agent reads no more" });
  close();
  expect(handle.deliver(stop, { to: at })).toEqual(ended);
});
