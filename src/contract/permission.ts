import * as z from "zod/mini";
import { json } from "./json.ts";
import { optionKinds } from "./permission-values.ts";

/** What an agent asks a person for while it works in a run. */

const text = z.string();

/** What a call would do, as far as its engine's adapter can tell. Paths are as the agent wrote them. */
const callAction = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["read", "edit"]), paths: z.array(text) }),
  z.object({ kind: z.literal("run"), command: text }),
  z.object({ kind: z.literal("result") }),
]);

/** `id` is Clew's own, and the one in the inbox: the engine's may come again when its agent is started again. */
export const permissionRequest = z.object({
  id: text,
  tool: text,
  /** Cut when it is long: it is then a text with a mark at its end. */
  input: json,
  options: z.array(z.object({ id: text, label: text, kind: z.enum(optionKinds) })),
  action: z.exactOptional(callAction),
  /** Where the input is cut or redacted: shows whether a later call is this very one, and tells nothing else of it. */
  fingerprint: z.exactOptional(text),
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

/** A request that was not answered while its agent lived, and the engine's session that goes on with the answer. */
export const unansweredPermission = z.object({ ...permissionRequest.shape, engine_session: z.exactOptional(text) });
export type UnansweredPermission = z.infer<typeof unansweredPermission>;

/** The same with what a person said to it since. */
export const answeredPermission = z.object({ ...unansweredPermission.shape, option: z.enum(optionKinds) });
export type AnsweredPermission = z.infer<typeof answeredPermission>;
