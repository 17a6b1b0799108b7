/** Guesses for text whose form alone says nothing: is this value a secret, or code, a name, a placeholder, prose? */

const placeholders = [
  /^(.)\1*$|^[x*.•_-]+$/i, // ********
  /^[<{]|^&lt;|^%\w+%$|^\$[\w{(]|[$#{]\{/, // <password>, %TOKEN%, $TOKEN, ${TOKEN}, {{ token }}
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=|$)/, // the name of a variable
  /^your[-_ ]|change[-_]?me|placeholder|example|dummy|redacted|(?:insert|replace)[-_]/i, // your-api-key-1234
  /^(?:null|none|true|false|undefined|nil|pass|passwd|password|secret|token|x-oauth-basic)$/i,
];

/** `req.body.password2`, `config.auth?.token`: the way to a value, not a value. */
const memberPath = /^[A-Za-z_$][\w$]{0,30}(?:\??\.[A-Za-z_$][\w$]{0,30})+$/;
const pathOrUrl = /^(?:\.{0,2}\/|~\/|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]{0,20}:\/\/|arn:)/;
const dateOrVersion = /^(?:v?\d{1,5}(?:\.\d{1,5})+|\d{4}-\d\d-\d\d)/;
/** Words with numbers behind: `my-secret-v2`, `oauth2-provider`, `release-2024`. */
const numberedWords = /^[A-Za-z]+\d{0,4}(?:[-_.:/][A-Za-z]*\d{0,4})*$/;
/** Names in code: `userPassword2`, `Uint8Array`, `md5_of`. */
const identifier = /^[A-Za-z_$]+(?:\d{0,2}|\d{1,3}[A-Z_][\w$]*)$/;
/** Context that holds literals only: an open quote (not in a list), an element, an .env line, a command-line flag. */
const literalContext = /^[^,]*["'`>]$|[A-Z0-9_]=$|^[^:=,]*\s$/;

export function isPlaceholder(value: string): boolean {
  return placeholders.some((kind) => kind.test(value));
}

/** Long, and mixed as no word is. */
export function looksRandom(value: string): boolean {
  return value.length >= 20 && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

export function isPathOrUrl(value: string): boolean {
  return pathOrUrl.test(value) && !value.split("/").some(looksRandom);
}

function isOrdinary(value: string): boolean {
  return (
    value.length < 8 ||
    value.includes("|") ||
    isPlaceholder(value) ||
    memberPath.test(value) ||
    dateOrVersion.test(value) ||
    isPathOrUrl(value)
  );
}

/** For values named as passwords: people choose them, so a digit or a sign in a word is enough. */
export function looksLikePassword(value: string, context: string): boolean {
  if (isOrdinary(value)) return false;
  if (context.includes(",")) return looksLikeToken(value, context);
  if (value.includes("!") || hasSignInside(value)) return true;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return literalContext.test(context) || !identifier.test(value);
}

/** A sign that is no end of a sentence: a letter or digit stands somewhere behind it. */
function hasSignInside(value: string): boolean {
  const sign = value.search(/[@#$%^&+=~*?]/);
  return sign >= 0 && /\w/.test(value.slice(sign + 1));
}

/** For values named as tokens, secrets, keys: machines make them, so digits stand where no word has them. */
export function looksLikeToken(value: string, context: string): boolean {
  if (isOrdinary(value) || numberedWords.test(value) || !/[A-Za-z]/.test(value)) return false;
  const digitRuns = value.match(/\d+/g) ?? [];
  if (digitRuns.length >= 2) return true;
  return digitRuns.length === 1 && literalContext.test(context) && (value.length >= 12 || /\d{3}/.test(value));
}

/** For values behind `Bearer` and `Basic`: anything but a word. */
export function looksLikeCredential(value: string): boolean {
  return !isPlaceholder(value) && (/[\d+/=]/.test(value) || /[a-z][A-Z]/.test(value));
}

/** Base64 of `user:password`, as registries keep it. */
export function isBasicPair(value: string): boolean {
  const pair = Buffer.from(value, "base64").toString("latin1");
  return /^[\x20-\x7e]+$/.test(pair) && /.:./.test(pair);
}
