import { engineNames, type EngineSettings } from "../../contract/engine-settings.ts";
import { ClewError } from "../../contract/errors.ts";
import { settingTable, type SettingName } from "../../contract/settings.ts";
import { engineName } from "../../contract/run.ts";
import { engineHint } from "../engine/engine-starts.ts";
import { refuseSettingFromStep } from "../run/authority.ts";
import type { Caller } from "../run/ports.ts";
import type { Redact, Redacted } from "../../contract/redacted.ts";
import type { SettingFiles, SettingStore } from "./ports.ts";

interface Parts {
  store: SettingStore;
  /** The process that asks. */
  caller: () => Caller;
  redact: Redact;
  /** What the settings say of engines. Throws a ClewError when they cannot be read. */
  engines: () => Promise<EngineSettings>;
}

/** Settings are set in the user's file or the repository's, as far as the caller may. */
export function settingFiles({ store, caller, redact, engines }: Parts): SettingFiles {
  return {
    async set(key, value, where) {
      const name = store.nameOf(key);
      if (where === "repository") refusePersonal(name, { key, value, userFile: store.userFile });
      else refuseSettingFromStep(caller());
      if (name === "policy") throw rulesAreWritten(where === "user" ? store.userFile : ".clew/config.yaml");
      if (name === "engine") await refuseUnknownEngine(value.trim(), engines);
      const change = await store.write(key, withoutSecret(key, value, redact), where);
      return { ...change, overridden_by: where === "user" ? await store.repositoryFileWith(name) : null };
    },
  };
}

async function refuseUnknownEngine(name: string, engines: Parts["engines"]): Promise<void> {
  // What cannot be the name of any engine is told by the setting's own check.
  if (!engineName.test(name)) return;
  const names = await engines().then(engineNames, (error: unknown) => {
    // An engine can be set where another setting is wrong.
    if (error instanceof ClewError) return undefined;
    throw error;
  });
  if (!names || names.includes(name)) return;
  throw new ClewError("unknown_engine", `there is no engine ${name}`, engineHint(name, names));
}

function refusePersonal(name: SettingName, setting: { key: string; value: string; userFile: string }): void {
  if (!settingTable[name].isPersonal) return;
  throw new ClewError(
    "invalid_config",
    `${name} loosens protection, and counts only in your own ${setting.userFile}`,
    `clew config set ${setting.key} ${setting.value} --user`,
  );
}

/** A setting without its secret would be another one, so it is not written at all. */
function withoutSecret(key: string, value: string, redact: Redact): Redacted<string> {
  const redacted = redact(value);
  if (redacted === value) return redacted;
  throw new ClewError(
    "invalid_config",
    `the value for ${key} has something in it that looks like a secret, and secrets are not written into files`,
    "keep the secret in an environment variable or a file of its own, and name that instead",
  );
}

/** A list of rules is read and reviewed as a file; and what an agent may set on the way must not be what it is held to. */
function rulesAreWritten(file: string): ClewError {
  return new ClewError(
    "invalid_input",
    "rules of the policy are not set by a command",
    `write them into ${file}: docs/POLICY.md`,
  );
}
