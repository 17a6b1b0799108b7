import type * as Dbos from "@dbos-inc/dbos-sdk";
import type Postgres from "pg";
import { ClewError } from "../../contract/errors.ts";

export type Sdk = typeof Dbos;
export type Pg = typeof Postgres;

/** Both are installed only by those who want their runs on Postgres, and loaded only when a run lives there. */
export async function loadSdk(): Promise<{ sdk: Sdk; pg: Pg }> {
  try {
    const [sdk, { default: pg }] = await Promise.all([import("@dbos-inc/dbos-sdk"), import("pg")]);
    return { sdk, pg };
  } catch (cause) {
    throw new ClewError(
      "not_available",
      "runs on Postgres need two packages that are not installed",
      "npm install @dbos-inc/dbos-sdk pg",
      { cause },
    );
  }
}
