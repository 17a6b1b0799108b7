import { repositorySetup } from "../adapters/git/repository-setup.ts";
import { engineSettingsFiles } from "../adapters/hooks/engine-settings-files.ts";
import { noteFault } from "../adapters/hooks/fault-log.ts";
import { hookSpools } from "../adapters/hooks/hook-spools.ts";
import { chosenTranscripts } from "../adapters/hooks/hook-transcripts.ts";
import { programPaths } from "../adapters/layout/program-paths.ts";
import { driversAround } from "../adapters/journal-file/claimed-drivers.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { systemClock } from "../adapters/system/system.ts";
import type { DaemonPlace } from "../app/daemon/process-ports.ts";
import { connectionsApi } from "../app/hook/connections.ts";
import { hookUrlOf } from "../app/hook/daemon-url.ts";
import { hooksApi } from "../app/hook/install.ts";
import { userHooksApi } from "../app/hook/user-hooks.ts";
import { refuseSettingFromStep } from "../app/run/authority.ts";
import { takeInHooks } from "../app/hook/take-in.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { Api } from "../contract/api/api.ts";
import { ClewError } from "../contract/errors.ts";
import { daemonHookVariable } from "../contract/hook.ts";
import { ofRedactedParts } from "../contract/redacted.ts";
import type { Surrounding } from "./app.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";
import { importParts } from "./wire-imports.ts";

/** Puts together what writes hooks into the settings of engines. */
export function openHooks(ground: Ground, program: Program, place: () => Promise<DaemonPlace>): Api["hooks"] {
  return hooksApi({
    async daemonUrl() {
      const { openTokens } = await import("./wire-daemon.ts");
      const { holderOf } = await import("../app/daemon/find.ts");
      const token = ground.env[daemonHookVariable];
      const grant = token ? (await openTokens(ground)).check(token) : undefined;
      return hookUrlOf({ daemon: holderOf(await place())?.daemon, grant });
    },
    ...settingsParts(ground, program),
  });
}

/** The same for hooks and the MCP server together. */
export function openConnections(ground: Ground, program: Program): Api["connections"] {
  return connectionsApi(settingsParts(ground, program));
}

function settingsParts(ground: Ground, program: Program): Parameters<typeof connectionsApi>[0] {
  const { repository, env } = ground;
  return { ...userParts({ repository, env, program }), prepare: () => void repositorySetup(ground).prepare() };
}

/** The same where there is no repository: only for the user's own settings. */
export function openUserHooks(surrounding: Pick<Surrounding, "env" | "program">): Api["hooks"] {
  return userHooksApi(userParts({ ...surrounding, repository: undefined }));
}

function userParts({
  repository,
  env,
  program,
}: Pick<Surrounding, "env" | "program"> & { repository: Ground["repository"] | undefined }) {
  return {
    files: engineSettingsFiles(repository?.root, env),
    program: [process.execPath, programPaths.clew(program.engines)],
    isStrict: async () => {
      const { policyFiles } = await import("../adapters/policy/policy-files.ts");
      const { hasDeny } = await import("../app/policy/rules.ts");
      return hasDeny(policyFiles({ repository, env }).layers());
    },
    refuseAgents: () => refuseSettingFromStep(systemCaller(env, driversAround)),
  };
}

/** A reader does not wait longer for another process that takes in the same. */
const patienceMs = 5_000;

/** Makes sessions of what agents told their hooks. A fault keeps no command from what it was asked; it is noted. */
export async function takeInHookSessions(ground: Ground, sessions: SessionParts): Promise<void> {
  const { layout, locks, redactor } = ground;
  try {
    await takeInHooks({
      ...importParts(ground, sessions),
      spools: hookSpools(layout.home),
      choose: chosenTranscripts,
      progress: () => undefined,
      withLock: async (work) => (await locks()).with("imports", work, patienceMs),
      nowMs: () => systemClock.now(),
      idleTimeoutMs: sessions.settings.idle_timeout,
    });
  } catch (error) {
    if (error instanceof ClewError && ["locked", "no_permission", "disk_full"].includes(error.code)) return;
    const { redact } = await redactor();
    const what = redact(error instanceof Error ? error.message : String(error));
    noteFault(
      layout.home,
      ofRedactedParts({ at: new Date(systemClock.now()).toISOString(), event: "taking in", what }),
    );
  }
}
