/**
 * Node prints warnings and uncaught errors as they are, and libraries put data into them. Here they pass where all output
 * does; warnings are shown only with CLEW_DEBUG.
 */
export function sayWarnings(say: (text: string) => void, env: NodeJS.ProcessEnv): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ stack, message }) => {
    if (env["CLEW_DEBUG"]) say(stack ?? message);
  });
  process.on("uncaughtException", (error) => {
    say(String(error?.stack ?? error));
    process.exit(1);
  });
}
