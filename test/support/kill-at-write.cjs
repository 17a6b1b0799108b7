// Kills this process, as `kill -9` would, at the write to the disk whose number CLEW_KILL_AT says; without one it tells at its end how many
// there were.
const fs = require("node:fs");

// With CLEW_FULL_AT, the first write of bytes from that number on finds no room.
let full = Number(process.env.CLEW_FULL_AT ?? Infinity);
const at = Number(process.env.CLEW_KILL_AT ?? Infinity);
let count = 0;
for (const name of ["writeSync", "renameSync", "linkSync", "unlinkSync", "fdatasyncSync", "fsyncSync", "mkdirSync"]) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (args[0] !== 1 && args[0] !== 2 && ++count === at) process.kill(process.pid, "SIGKILL");
    if (count >= full && name === "writeSync" && args[0] > 2) {
      full = Infinity;
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    }
    return original(...args);
  };
}
if (process.env.CLEW_WRITES) process.on("exit", () => fs.writeFileSync(process.env.CLEW_WRITES, String(count)));
