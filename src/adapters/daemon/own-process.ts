import { writeSync } from "node:fs";
import type { OwnProcess } from "../../app/daemon/process-ports.ts";

export const ownProcess: OwnProcess = {
  guard(onFault) {
    // The first one is heard by the command; steps at hand are ended then, which takes its time.
    process.on("SIGTERM", () => undefined);
    // Before the one of every command, which prints the error as it is: stderr is the log of a daemon in the background.
    process.prependListener("uncaughtException", (error) => {
      onFault(error);
      writeSync(2, "error: the daemon met a fault that nobody caught: its log tells (clew daemon status)\n");
      process.exit(1);
    });
  },
};
