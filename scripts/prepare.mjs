// Makes a checkout ready: installs the packages and builds the program, each only when needed.
//   --packages  stop after the packages      --rebuild  build even when nothing changed
// Nothing here but this check runs on an old Node, so that it gets a sentence instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`error: Clew needs Node 20.19 or later; this is ${process.version} (${process.execPath}).`);
  console.error("Install a newer one from https://nodejs.org and run the same command again.");
  process.exit(1);
}

import("./lib/make-ready.mjs")
  .then(({ makeReady }) =>
    makeReady({ packagesOnly: process.argv.includes("--packages"), rebuild: process.argv.includes("--rebuild") }),
  )
  .catch((error) => {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  });
