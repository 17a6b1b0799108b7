// Programs of others for the daemon's OpenAPI document: a linter, a validator, and the maker of a client's types.
import { fileURLToPath } from "node:url";
import { withLock } from "../../scripts/lib/lock.mjs";
import { installPackages, whyInstall } from "../../scripts/lib/packages.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * The packages are there only once they were asked for, so that no check of this repository may look at them.
 * @param {string} name
 */
const load = (name) => import(name);

export async function installTool() {
  if (whyInstall(here)) {
    await withLock(here, async (noteChild) => {
      if (!whyInstall(here)) return;
      process.stderr.write("installing what reads OpenAPI into tools/openapi (about 60 MB, once)…\n");
      await installPackages(here, noteChild);
    });
  }
  return here;
}

/** @param {string} source */
export async function problemsOf(source) {
  await installTool();
  const { createConfig, lintFromString } = await load("@redocly/openapi-core");
  const { Validator } = await load("@seriousme/openapi-schema-validator");
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const { valid, errors } = await new Validator().validate(JSON.parse(source));
  return [
    ...found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`),
    ...(valid ? [] : [`schema: ${JSON.stringify(errors)}`]),
  ];
}

/** @param {string} source */
export async function typesOf(source) {
  await installTool();
  const { default: makeTypes, astToString } = await load("openapi-typescript");
  return astToString(await makeTypes(source));
}
