import type { Json } from "../../contract/json.ts";
import { truncateLine } from "../truncate-line.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../read-fields.ts";

/** A request that chooses something for a session before its first prompt. */
export interface SessionChoice {
  method: string;
  params: { [key: string]: Json };
}

/** Sets the first of these modes that the agent has. It is set also where it is the agent's own: settings may say otherwise. */
export function chosenMode(session: Fields, sessionId: string, wanted: readonly string[]): SessionChoice | undefined {
  const listed = listOf(fieldsOf(session.modes).availableModes).map((mode) => textOf(fieldsOf(mode).id));
  const known = [...listed, ...optionsOf(session, "mode").values];
  const modeId = wanted.find((mode) => known.includes(mode));
  return modeId === undefined ? undefined : { method: "session/set_mode", params: { sessionId, modeId } };
}

/** Sets the model; a text says why it cannot be. */
export function chosenModel(
  session: Fields,
  sessionId: string,
  model: string | undefined,
): SessionChoice | string | undefined {
  if (model === undefined) return undefined;
  const { configId, values } = optionsOf(session, "model");
  if (configId !== undefined && values.includes(model)) {
    return { method: "session/set_config_option", params: { sessionId, configId, value: model } };
  }
  const listed = listOf(fieldsOf(session.models).availableModels).flatMap(
    (each) => textOf(fieldsOf(each).modelId) ?? [],
  );
  if (listed.includes(model)) return { method: "session/set_model", params: { sessionId, modelId: model } };
  const names = [...values, ...listed].join(", ");
  return `it has no model ${model}${names === "" ? "" : `; it has ${truncateLine(names, 500)}`}`;
}

/** The model that the agent has chosen by itself. */
export function modelOf(session: Fields): string | undefined {
  return textOf(fieldsOf(session.models).currentModelId) ?? optionsOf(session, "model").current;
}

/** What agents of newer versions let one choose, by its category. */
function optionsOf(
  session: Fields,
  category: string,
): { configId: string | undefined; current: string | undefined; values: string[] } {
  const option = listOf(session.configOptions)
    .map(fieldsOf)
    .find((each) => each.category === category || each.id === category);
  const values = listOf(option?.options).flatMap((each) => textOf(fieldsOf(each).value) ?? []);
  return { configId: textOf(option?.id), current: textOf(option?.currentValue), values };
}
