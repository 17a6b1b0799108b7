import { boundsOf, refuseLinkOut } from "../adapters/files/bounds.ts";
import { repositoryAround } from "../adapters/git/repository.ts";
import { noteFault } from "../adapters/hooks/fault-log.ts";
import { hookFiles } from "../adapters/hooks/hook-files.ts";
import { hookPaths } from "../adapters/layout/hook-paths.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import { takeHook, type TakeHook } from "../app/hook/take-hook.ts";
import type { Asker } from "../app/run/ports.ts";
import { redactValue } from "../redact/redact-value.ts";
import { attempt } from "../text/attempt.ts";
import type { Operations } from "./app.ts";
import { hookAnswerers, lazyPolicyAnswerer, type LoadedAnswerers } from "./hook-answerers.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what takes hooks of agents that the user starts, where they come to the daemon. */
export function hookTaker(ground: Ground, openOperations: (asker: Asker) => Operations): TakeHook {
  const { layout, repository, env, redactor } = ground;
  const { home, root } = layout;
  const { commonDir } = repository;
  const loaded = (name: keyof LoadedAnswerers): HookAnswerer => loadedAnswerer(openOperations, name);
  return async (told) => {
    const { redact } = await redactor();
    const folders = [hookPaths.spools(home), hookPaths.openFolder(home)];
    return takeHook(
      {
        files: hookFiles(home),
        redact: (value) => redactValue(value, redact),
        isOwnFolder: (folder) => attempt(() => repositoryAround(folder)?.commonDir === commonDir, false),
        elsewhere: (folder) =>
          lazyPolicyAnswerer(
            attempt(() => repositoryAround(folder)?.root, undefined),
            env,
          ),
        refuseLinks: () => folders.forEach((folder) => refuseLinkOut(boundsOf(root, commonDir, [], false), folder)),
        answerers: hookAnswerers({ folder: root, home, root }, env, {
          rehydrate: loaded("rehydrate"),
          witness: loaded("witness"),
          held: loaded("held"),
        }),
        tellFault(event, error) {
          const what = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
          noteFault(home, redactValue({ at: new Date().toISOString(), event: event.slice(0, 64), what }, redact));
        },
        onEnd: () => void takeInSoon(openOperations),
        now: () => new Date(),
      },
      told,
    );
  };
}

/** Answers by operations that are put together for each question, as for each request. */
function loadedAnswerer(openOperations: (asker: Asker) => Operations, name: keyof LoadedAnswerers): HookAnswerer {
  return async (question) => {
    const { hookAnswerer, close } = openOperations({ name: "the daemon", isPerson: false });
    try {
      const answer = await hookAnswerer(name);
      return await answer(question);
    } finally {
      await close();
    }
  };
}

/** The agent has ended, and its engine does not wait: what cannot be done now, the next list does. */
async function takeInSoon(openOperations: (asker: Asker) => Operations): Promise<void> {
  try {
    const { api, close } = openOperations({ name: "the daemon", isPerson: false });
    await api.sessions.list({ limit: 1 });
    await close();
  } catch {
    // As for any list: its fault is noted where it arose.
  }
}
