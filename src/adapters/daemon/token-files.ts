import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, constants, lstatSync } from "node:fs";
import * as z from "zod/mini";
import type { Tokens } from "../../app/daemon/ports.ts";
import type { ListedToken } from "../../contract/api/daemon.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { Disk } from "../files/disk.ts";
import { explainErrors } from "../files/failure.ts";
import { readAll, withRegular } from "../files/regular-file.ts";
import { idOfToken, tokenPath } from "../layout/daemon-paths.ts";
import { parseJson } from "../../text/parse-json.ts";
import { folderProblem, userId } from "./socket-path.ts";

interface Parts {
  disk: Disk;
  folder: string;
  redact: () => Promise<Redact>;
  nowMs: () => number;
  newId: () => string;
}

const tokenVersion = 1;
const tokenFile = z.object({
  version: z.literal(tokenVersion),
  id: z.string(),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  name: z.nullable(z.string()),
  read_only: z.boolean(),
  hooks_only: z._default(z.boolean(), false),
  created: z.string(),
  expires: z.nullable(z.string()),
});
type TokenFile = z.infer<typeof tokenFile>;

const maxBytes = 4 * 1024;
const maxTokenChars = 256;

/** One small file for each token, with its hash. By its beginning, the redactor knows a token wherever it stands. */
export function tokenFiles({ disk, folder, redact, nowMs, newId }: Parts): Tokens {
  /** Undefined for what is missing, a link, too large or broken, or what another user made or could write to: that is no token. */
  const read = (id: string): TokenFile | undefined => {
    const path = tokenPath(folder, id);
    if (path === undefined) return undefined;
    try {
      if (folderProblem(folder) !== undefined) return undefined;
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const text = withRegular(path, flags, 0, (fd, stats) =>
        isOwn(stats) ? readAll(fd, stats, path, maxBytes).toString("utf8") : undefined,
      );
      const token = tokenFile.parse(parseJson(text ?? ""));
      return token.id === id ? token : undefined;
    } catch {
      return undefined;
    }
  };
  const isExpired = ({ expires }: TokenFile): boolean => expires !== null && !(Date.parse(expires) > nowMs());
  const toListed = (token: TokenFile): ListedToken => {
    const { id, name, read_only, hooks_only, created, expires } = token;
    return { id, name, read_only, hooks_only, created, expires, is_expired: isExpired(token) };
  };
  /** The token that this is, expired or not. */
  const find = (token: string): TokenFile | undefined => {
    const id = idIn(token);
    const found = id === undefined ? undefined : read(id);
    // Compared in any case, so that an unknown id takes as long as a wrong token.
    const isRight = timingSafeEqual(digest(token), found ? Buffer.from(found.sha256, "hex") : digest(""));
    return isRight ? found : undefined;
  };
  return {
    async create({ name, readOnly, hooksOnly = false, expires }) {
      const id = newId();
      const token = `clew_api_${id}_${randomBytes(32).toString("base64url")}`;
      const file: TokenFile = {
        version: tokenVersion,
        id,
        sha256: digest(token).toString("hex"),
        name: name === undefined ? null : (await redact())(name),
        read_only: readOnly,
        hooks_only: hooksOnly,
        created: new Date(nowMs()).toISOString(),
        expires: expires ?? null,
      };
      disk.makeFolder(folder);
      explainErrors(folder, () => chmodSync(folder, 0o700));
      if (!disk.create(tokenPath(folder, id)!, Buffer.from(`${JSON.stringify(file)}\n`), 0o600))
        throw new Error(`two tokens have the id ${id}`);
      return { ...toListed(file), token };
    },
    list() {
      const tokens = disk.list(folder).flatMap((name) => {
        const id = idOfToken(name);
        return (id !== undefined && read(id)) || [];
      });
      const place = ({ created, id }: TokenFile): string => `${created} ${id}`;
      return tokens.sort((one, other) => (place(one) < place(other) ? -1 : 1)).map(toListed);
    },
    async revoke(id) {
      const path = tokenPath(folder, id);
      if (path === undefined || !lstatSync(path, { throwIfNoEntry: false })) return false;
      disk.remove(path);
      await disk.syncFolder(folder);
      return true;
    },
    check(token) {
      const found = find(token);
      if (!found || isExpired(found)) return undefined;
      return { id: found.id, readOnly: found.read_only, hooksOnly: found.hooks_only };
    },
    refusalOf(token) {
      const found = find(token);
      if (found) return `this token expired at ${found.expires}`;
      if (idIn(token) === undefined) return "this is no token of a daemon: one is clew_api_ID_ and 43 characters";
      return "this repository has no such token: it was revoked, or is another repository's";
    },
  };
}

function idIn(token: string): string | undefined {
  return /^clew_api_([a-z0-9]{1,32})_[\w-]{43}$/.exec(token.slice(0, maxTokenChars))?.[1];
}

/** Whether it is this user's, and no other can write to it. */
function isOwn({ uid, mode }: { uid: number | bigint; mode: number | bigint }): boolean {
  return Number(uid) === userId() && (Number(mode) & 0o022) === 0;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
