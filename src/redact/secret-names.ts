/**
 * Which variables hold secrets, told by their names. A name is taken apart at signs, digits and changes of case, and one of
 * its words must mean a secret: `GITHUB_TOKEN`, `npm_config__authToken`, `DB_PASS`, `TOKEN2`. Where words are written
 * together, the last of them counts: `PGPASSWORD`, `SECRETKEY`.
 */
const secretWord =
  /^(?:AUTH|BEARER|COOKIES?|CREDENTIALS?|CREDS?|JWT|MNEMONIC|OAUTH|OTP|PASS|PASSCODE|PASSKEY|PASSPHRASE|PASSWD|PAT|PEM|PHRASE|PSK|PWD|SECRETS?|TOKENS?|ACCESSKEYID)$/;
const secretEnd = /(?:PASSWORDS?|PASSPHRASE|PASSWD|TOKENS?|SECRETS?|CREDENTIALS?|.PASS|.{2}KEYS?)$/;
/** Words that only end like one. */
const noSecret =
  /^(?:ASKPASS|BYPASS|COMPASS|ENCOMPASS|OVERPASS|SURPASS|TRESPASS|UNDERPASS|DONKEY|HOCKEY|JOCKEY|MONKEY|TURKEY|WHISKEY|(?:CACHE|FOREIGN|GPG|HOT|INDEX|MAP|PARTITION|PGP|PRIMARY|PUB|PUBLIC|SHORTCUT|SORT)KEYS?)$/;

/** Keys that are shown to everybody, or find something: `PUBLIC_KEY`, `CACHE_KEY`, `GPG_KEY` (a fingerprint). */
const openKey =
  /^(?:CACHE|FINGERPRINT|FOREIGN|GPG|HOT|INDEX|LOOKUP|MAP|OBJECT|PARTITION|PGP|PRIMARY|PUB|PUBLIC|ROUTING|SHORTCUT|SORT)$/;
/** Keys that are none of those, whatever else stands in the name: `GPG_PRIVATE_KEY`, `CACHE_API_KEY`. */
const closedKey = /^(?:ACCESS|API|ENCRYPTION|MASTER|PRIVATE|SIGNING)$/;

/** Names that end so tell something about a secret, not the secret. */
const aboutSecret =
  /^(?:SOCK|FILES?|PATH|DIR|UR[LI]|HOST|PORT|ENDPOINT|TYPE|METHOD|MODE|(?:USER)?NAME|USER|EMAIL|TTL|REGION|HELPER|ALG|ALGORITHM|SIZE|LENGTH|COUNT|LIMIT|TIMEOUT|EXPIRY|EXPIRES|ENABLED|DISABLED|PARALLELISM|VERSION|FORMAT|PREFIX|SUFFIX|ISSUER|AUDIENCE|SCOPES?|PROVIDER|MANAGER|STORE)$/;

export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  // The shell's own folder.
  if (name === "PWD" || aboutSecret.test(words.at(-1) ?? "")) return false;
  if (words.some((word) => secretWord.test(word) || (secretEnd.test(word) && !noSecret.test(word)))) return true;
  if (/(?:^|_)CONNECTION_?STRING$/.test(words.join("_"))) return true;
  if (!words.some((word) => word === "KEY" || word === "KEYS")) return false;
  return words.some((word) => closedKey.test(word)) || !words.some((word) => openKey.test(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== "");
}
