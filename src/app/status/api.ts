import type { StatusApi } from "../../contract/api/status.ts";
import type { Beads } from "../bead/beads.ts";
import type { Status } from "./overview.ts";

interface Parts {
  isSetUp: () => boolean;
  status: () => Promise<Status>;
  beads: () => Promise<Pick<Beads, "ready">>;
}

export function statusApi({ isSetUp, status, beads }: Parts): StatusApi {
  return {
    async show() {
      if (isSetUp()) return (await status()).overview();
      // Who only looks leaves nothing behind where nobody has begun.
      const { beads: ready } = (await beads()).ready();
      return { needs_you: [], running: [], ready, ended: [], ended_since_yesterday: 0, paused: [], unreadable: [] };
    },
  };
}
