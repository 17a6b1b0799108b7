import type { Overview, StatusApi } from "../../contract/api/status.ts";
import type { Bead } from "../../contract/bead.ts";

interface Parts {
  isSetUp: () => boolean;
  overview: () => Promise<Overview>;
  readyBeads: () => Promise<Bead[]>;
}

export function statusApi({ isSetUp, overview, readyBeads }: Parts): StatusApi {
  return {
    async show() {
      if (isSetUp()) return overview();
      // Before `clew init`, a reader writes nothing.
      const ready = await readyBeads();
      return { needs_you: [], running: [], ready, ended: [], ended_since_yesterday: 0, paused: [], unreadable: [] };
    },
  };
}
