// Loaded before the program while it is built: writes down the machine code that V8 made of each chunk while a command
// ran, for `src/main/clew.ts` to load. A chunk that an earlier command wrote down keeps that code.
const { existsSync, writeFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const vm = require("node:vm");

/** @type {Map<string, vm.Script>} */
const scripts = new Map();
const { Script } = vm;

vm.Script = class extends Script {
  /**
   * @param {string} code
   * @param {{ filename: string }} options
   */
  constructor(code, options) {
    super(code, options);
    scripts.set(options.filename, this);
  }
};

process.on("exit", () => {
  const chunks = join(dirname(process.argv[1] ?? ""), "chunks");
  for (const [name, script] of scripts) {
    const file = join(chunks, basename(name));
    if (!existsSync(`${file}.code`)) writeFileSync(`${file}.code`, script.createCachedData());
  }
});
