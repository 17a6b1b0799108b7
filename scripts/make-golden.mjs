// Makes the golden results of the template engine anew with real Go 1.19: node scripts/make-golden.mjs
// Go is in Debian's golang-go. The cases are in test/golden/go-template/cases.mjs, the results beside them.
import { writeFileSync } from "node:fs";
import { cases, dataSets } from "../test/golden/go-template/cases.mjs";
import { startGo } from "../test/golden/go-template/go-template.mjs";

const go = startGo();
const answers = await go.run(cases.map(({ template, on }) => ({ template, data: dataSets[on] })));
go.stop();

const lines = cases.map((asked, at) => {
  const answer = answers[at];
  if (answer?.error === "panic" || answer?.error === "limit") throw new Error(`Go fails on ${asked.template}`);
  return `${JSON.stringify({ ...asked, ...answer })}\n`;
});
const folder = new URL("../test/golden/go-template/", import.meta.url);
writeFileSync(new URL("results.jsonl", folder), lines.join(""));
writeFileSync(new URL("data.json", folder), `${JSON.stringify(dataSets, null, 2)}\n`);
console.log(`${lines.length} results, ${answers.filter(({ error }) => error !== undefined).length} of them refusals`);
