import { rolldown } from "rolldown";

/** @typedef {{ id: string, hints: string[], pattern: RegExp }} Rule */

/** Values as they come from an environment, one with signs of patterns in it. */
const environment = { API_TOKEN: "h4rdToGuess99", DB_PASSWORD: "(a+)+$ b|c.*é" };

/**
 * The redactor's rules as they run. A rule's pattern is tried at its hint only, which `y` says; most are put together when
 * the program begins, and so no reader of the source can tell them.
 * @returns {Promise<import("./collect.mjs").Pattern[]>}
 */
export async function redactionRules() {
  const rules = [
    .../** @type {Rule[]} */ ((await load("src/redact/rules.ts")).rules),
    .../** @type {Rule[]} */ ((await load("src/redact/env-values.ts")).valueRules(environment, [])),
  ];
  return rules.map(({ id, pattern }) => ({
    file: "src/redact",
    line: 0,
    text: `rule ${id}`,
    source: pattern.source,
    flags: `${pattern.flags}y`,
  }));
}

/** @param {string} file */
async function load(file) {
  const bundle = await rolldown({ input: file, platform: "node", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
