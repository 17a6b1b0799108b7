import type { ConfigApi } from "../../contract/api/config.ts";
import type { Json } from "../../contract/grimoire.ts";
import { settingValue, type SettingName, type SettingOrigin } from "../../contract/settings.ts";
import type { SettingFiles } from "./ports.ts";

interface Parts {
  /** Every setting as it counts in the repository. */
  origins: () => Promise<SettingOrigin[]>;
  /** The files, also where something in them is wrong. */
  files: () => Promise<SettingFiles>;
}

export function configApi({ origins, files }: Parts): ConfigApi {
  return {
    async show() {
      const settings = (await origins()).map(({ name, value, origin }) => ({
        name,
        value: settingValue(name, value),
        origin,
      }));
      return { settings };
    },
    async set({ key, value, where }) {
      const change = await (await files()).set(key, value, where);
      const { name, before } = change;
      return {
        ...change,
        value: settingValue(name, change.value),
        before: before === null ? null : valueOrText(name, before),
      };
    },
  };
}

/** What a file said before may have been wrong, and is text then. */
function valueOrText(name: SettingName, text: string): Json {
  try {
    return settingValue(name, text);
  } catch {
    return text;
  }
}
