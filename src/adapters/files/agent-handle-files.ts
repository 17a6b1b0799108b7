import * as z from "zod/mini";
import type { AgentHandles, AgentOrder, OrderEnd } from "../../app/agent/agent-handles.ts";
import { sessionAgent } from "../../contract/api/session-agent.ts";
import { fromRedacted } from "../../contract/redacted.ts";
import { sessionIdPattern } from "../../contract/session-values.ts";
import { withoutSuffix } from "../layout/file-names.ts";
import { handlePaths } from "../layout/session-paths.ts";
import type { Disk } from "./disk.ts";
import { readJson } from "./read-json.ts";

const handle = z.extend(sessionAgent, { driver: z.object({ pid: z.int(), boot: z.string() }) });
const order: z.ZodMiniType<AgentOrder> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("message"), text: z.string() }),
  z.object({ kind: z.literal("stop"), kill: z.boolean() }),
]);
const orderEnd: z.ZodMiniType<OrderEnd> = z.object({ refusal: z.exactOptional(z.string()) });

interface Parts {
  disk: Disk;
  folder: string;
  /** This process, and the run of the machine. */
  self: { pid: number; boot: string };
  isRunning: (pid: number) => boolean;
}

/** A file for each agent at work, and beside it a folder of orders: `ID.json` waits, `ID.taken` is taken up, `ID.end` is what became of it. */
export function agentHandleFiles({ disk, folder, self, isRunning }: Parts): AgentHandles {
  const { agent: pathOf, orders, order: orderPath } = handlePaths;
  const ordersIn = (session: string): string[] =>
    disk.list(orders(folder, session)).flatMap((name) => withoutSuffix(name, ".json") ?? []);
  return {
    list: () =>
      disk.list(folder).flatMap((name) => {
        const session = withoutSuffix(name, ".json");
        if (session === undefined || !sessionIdPattern.test(session)) return [];
        const found = readJson(disk, pathOf(folder, session), (value) => z.parse(handle, value));
        if (!found || found.driver.boot !== self.boot || !isRunning(found.driver.pid)) return [];
        const { driver: _, ...agent } = found;
        return [{ ...agent, session }];
      }),
    tell(session, agent, isNew) {
      if (isNew) disk.remove(orders(folder, session));
      disk.makeFolder(orders(folder, session));
      const text = fromRedacted(agent, (fields) => JSON.stringify({ ...fields, driver: self }));
      disk.replaceUnsynced(pathOf(folder, session), Buffer.from(`${text}\n`));
    },
    close(session) {
      disk.remove(pathOf(folder, session));
      for (const id of ordersIn(session)) disk.remove(orderPath(folder, session, id, "json"));
    },
    take: (session) =>
      ordersIn(session).flatMap((id) => {
        const taken = orderPath(folder, session, id, "taken");
        if (!moved(disk, orderPath(folder, session, id, "json"), taken)) return [];
        const found = readJson(disk, taken, (value) => z.parse(order, value));
        return found ? [{ id, order: found }] : [];
      }),
    settle(session, id, end) {
      disk.replaceUnsynced(orderPath(folder, session, id, "end"), Buffer.from(`${JSON.stringify(end)}\n`));
    },
    order(session, id, value) {
      const text = fromRedacted(value, (fields) => JSON.stringify(fields));
      disk.replace(orderPath(folder, session, id, "json"), Buffer.from(`${text}\n`), 0o600);
    },
    endOf: (session, id) => readJson(disk, orderPath(folder, session, id, "end"), (value) => z.parse(orderEnd, value)),
    withdraw: (session, id) =>
      moved(disk, orderPath(folder, session, id, "json"), orderPath(folder, session, id, "withdrawn")),
  };
}

/** False when another process was first. */
function moved(disk: Disk, from: string, to: string): boolean {
  try {
    disk.move(from, to);
    return true;
  } catch {
    return false;
  }
}
