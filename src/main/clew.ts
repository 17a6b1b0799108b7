import { writeSync } from "node:fs";

declare const __CLEW_VERSION__: string;

const argv = process.argv.slice(2);

// The version needs nothing of the rest of the program.
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  writeSync(1, `${__CLEW_VERSION__}\n`);
} else {
  void import("./start.ts").then(({ start }) => start(argv, __CLEW_VERSION__));
}
