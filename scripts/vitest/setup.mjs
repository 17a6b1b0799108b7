import { makeReady } from "../lib/make-ready.mjs";

/** Tests drive the built program, so that a bare `vitest` builds it too. */
export default async function setup() {
  await makeReady();
}
