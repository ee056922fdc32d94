/** Only so much of a name's end is looked at. */
export const MAX_SECRET_NAME_CHARS = 128;

const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const SECRET_WORDS = list(
  "token secret secrets password passwords passwd passphrase credential credentials authorization cookie",
);
const GLUED_ENDINGS =
  /(?:password|passwd|passphrase|credentials?|secret|apikeys?|(?:secret|access|private|signing|encryption)key|(?:access|auth|refresh|api|bearer|session|bot)tokens?)$/;
const KEY_OWNERS = list(
  "api access private secret signing signature encryption decryption auth authentication master service account ssh gpg pgp rsa hmac jwt webhook deploy subscription shared admin",
);
const TOKEN_OWNERS = list("access auth authentication refresh api bearer session id bot oauth github gitlab npm slack");
const AUTH_OWNERS = list("basic proxy http registry");
/** Words before `token` that make it a piece of text or a place in a list. */
const TEXT_TOKENS = list(
  "max min num per first last next prev previous page continuation cancellation cancel sync eos bos pad unk mask sep cls stop special prompt input output completion cached reasoning budget single sub start end delimiter lexer syntax parse unexpected",
);
/** Words before `KEY` in an environment name that make it no secret. */
const OPEN_KEYS = list(
  "public primary foreign cache sort partition hot idempotency dedupe duplicate lookup row index object group routing message map host arrow modifier leader unknown missing invalid registry verification",
);
/** First words of names that tell about a secret without holding it. */
const ABOUT = list(
  "has have is no not needs require requires use uses show hide with without allow enable disable supports forgot reset change invalid missing expired unknown bad wrong count",
);
/** Verbs of claw that are named like a secret: the manifest has a member of each verb's name. */
const VERBS = list("cluster-credentials");
/** Last words that only say which of several secrets it is. */
const VARIANTS = list("prod production dev development staging test live default old new backup base64 b64 value raw");

/**
 * A cheap look ahead: a name without any of these holds no secret, and a text without any assigns nothing secret.
 * Serves the rows of `cold-start`.
 */
export const SECRET_NAME_HINT = /token|secret|passw|passphrase|credential|key|auth|cookie|pwd|pass/iu;

/**
 * Whether a variable, member, header or flag of this name holds a secret, judged by whole words in camelCase,
 * snake_case, kebab-case or capitals: `apiKey` and `FOO_TOKEN` do, `max_tokens`, `keyboard` and `apiKeySource` do not.
 */
export function isSecretName(name: string): boolean {
  if (!SECRET_NAME_HINT.test(name)) return false;
  if (name === "_auth") return true;
  if (VERBS.has(name)) return false;
  const end = name.slice(-MAX_SECRET_NAME_CHARS);
  const words = withoutVariant(nameWords(end));
  const last = words.at(-1);
  if (last === undefined) return false;
  const owner = words.at(-2) ?? "";
  if (words.length > 1 && ABOUT.has(words[0] ?? "")) return false;
  if (last === "token" && TEXT_TOKENS.has(owner)) return false;
  if (SECRET_WORDS.has(last) || GLUED_ENDINGS.test(last)) return true;
  return isOwned(last, owner, /^[A-Z0-9_]+$/.test(end));
}

/** Last words that mean a secret only together with the word before them. */
function isOwned(last: string, owner: string, isCapitals: boolean): boolean {
  if (owner === "") return false;
  switch (last) {
    case "key":
      return KEY_OWNERS.has(owner) || (isCapitals && !OPEN_KEYS.has(owner));
    case "keys":
      return KEY_OWNERS.has(owner);
    case "tokens":
      return TOKEN_OWNERS.has(owner);
    case "auth":
      return AUTH_OWNERS.has(owner);
    case "pwd":
      return owner !== "old";
    case "pass":
      return isCapitals;
    case "base":
      return owner === "key";
    default:
      return false;
  }
}

function nameWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function withoutVariant(words: string[]): string[] {
  const last = words.at(-1) ?? "";
  return words.length > 1 && (VARIANTS.has(last) || /^v?\d+$/.test(last)) ? words.slice(0, -1) : words;
}

/** Values of the environment variables whose name marks a secret. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value !== undefined && isSecretName(name) ? [value] : []));
}
