import type { Api } from "../contract/api/api.ts";
import { ClewError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { isObject } from "../text/is-object.ts";
import { parseJson } from "../text/parse-json.ts";
import type { Prompts } from "./offers.ts";
import type { WithApi } from "./with-api.ts";

/** Spells as prompts. Arguments are JSON if they parse, else text; `bead` may be the id of one. */
export function spellPrompts(withApi: WithApi): Prompts {
  return {
    list: () =>
      withApi(async ({ spells }) =>
        (await spells.list({})).spells
          .filter(({ problem }) => problem === undefined)
          .map(({ name, about, arguments: args }) => ({
            name,
            title: name,
            description: about,
            arguments: args.map((each) => ({ ...each, ...(each.name === "bead" && { description: beadHelp }) })),
          })),
      ),
    get: (name, args) =>
      withApi(async (api) => {
        const spell = (await api.spells.list({})).spells.find((each) => each.name === name);
        if (!spell) return undefined;
        const missing = spell.arguments.filter((each) => each.required && !Object.hasOwn(args, each.name));
        if (missing.length > 0) {
          const names = missing.map((each) => each.name).join(", ");
          throw new ClewError("usage", `the prompt ${name} needs ${names}`, "prompts/list tells what each asks for");
        }
        const { text } = await api.spells.render({ spell: name, data: await dataOf(api, args) });
        return { description: spell.about, messages: [{ role: "user", content: { type: "text", text } }] };
      }),
  };
}

const beadHelp = "the id of a bead, or its fields as JSON";

async function dataOf(api: Api, args: Record<string, string>): Promise<Record<string, Json>> {
  const data = Object.fromEntries(
    Object.entries(args).map(([name, text]): [string, Json] => [name, (parseJson(text) as Json | undefined) ?? text]),
  );
  const { bead } = data;
  if (bead === undefined || isObject(bead)) return data;
  // An id may look like a number.
  const id = args["bead"] ?? "";
  return { ...data, bead: (await api.beads.show({ bead: id })).bead as Json };
}
