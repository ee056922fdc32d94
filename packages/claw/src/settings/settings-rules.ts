import { ENVELOPES, LIMITS, PERMISSION_MODES, PROVIDER_KINDS, SANDBOX_CHOICES } from "@claw/contract";

/** Returns the problem of a value; undefined when the value is valid. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === "string" ? undefined : "must be text");

const price: Check = (value) =>
  typeof value === "number" && value >= 0 ? undefined : "must be a number that is not below 0";

const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : "must be a whole number above 0";

const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && values.includes(value) ? undefined : `must be one of ${values.join(", ")}`;

const texts: Check = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "must be a list of texts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object whose known members are checked; further members are allowed. */
const members =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isObject(value)) return "must be an object";
    for (const [key, check] of Object.entries({ ...required, ...optional })) {
      const isLeftOut = value[key] === undefined && !Object.hasOwn(required, key);
      const problem = isLeftOut ? undefined : check(value[key]);
      if (problem !== undefined) return `${key} ${problem}`;
    }
    return undefined;
  };

/** An object whose members are all checked. The problem never names a member, because member names are free text. */
const record =
  (check: Check = () => undefined): Check =>
  (value) => {
    if (!isObject(value)) return "must be an object";
    for (const [key, item] of Object.entries(value)) {
      const problem = key === "__proto__" ? undefined : check(item);
      if (problem !== undefined) return `has a wrong entry: ${problem}`;
    }
    return undefined;
  };

const nonEmpty: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "must be text");

/** A list whose every item is checked. */
const listOf =
  (check: Check, most: number): Check =>
  (value) => {
    if (!Array.isArray(value)) return "must be a list";
    if (value.length > most) return `must have at most ${most} entries`;
    const problem = value.map(check).find((found) => found !== undefined);
    return problem === undefined ? undefined : `has a wrong entry: ${problem}`;
  };

/** Refuses unknown members: an unknown member would make a rule apply more widely than intended. */
const only =
  (names: readonly string[], check: Check): Check =>
  (value) => {
    const problem = check(value);
    if (problem !== undefined || !isObject(value)) return problem;
    return Object.keys(value).every((name) => names.includes(name)) ? undefined : `may only have ${names.join(", ")}`;
  };

const RULE_FIELDS = {
  harness: text,
  worker: text,
  tool: text,
  command: text,
  cwd: text,
  request_type: text,
  chosen: text,
};

const approvalRule: Check = only(
  ["id", "decision", ...Object.keys(RULE_FIELDS)],
  members({ id: nonEmpty, decision: oneOf(["approve", "reject"]) }, RULE_FIELDS),
);

const CACHE_PRICES = { cacheRead: price, cacheWrite: price };

/** Prices of a model; larger requests may have different prices. */
const modelPrice = members(
  { input: price, output: price },
  {
    ...CACHE_PRICES,
    above: listOf(members({ tokens: price, input: price, output: price }, CACHE_PRICES), LIMITS.priceTiers),
  },
);

/** The check for each key. Written by hand, because settings are read before the schema library is loaded. */
const CHECKS: Readonly<Record<string, Check>> = {
  $schema: text,
  model: text,
  envelope: oneOf(ENVELOPES),
  outputFormat: oneOf(["text", "json"]),
  permissions: members(
    {},
    { defaultMode: oneOf(PERMISSION_MODES), allow: texts, ask: texts, deny: texts, additionalDirectories: texts },
  ),
  hooks: record(),
  mcpServers: record(),
  sandbox: oneOf(SANDBOX_CHOICES),
  aliases: record(text),
  providers: record(members({ kind: oneOf(PROVIDER_KINDS), baseUrl: text }, { apiKeyEnv: text, models: texts })),
  prices: record(modelPrice),
  pricesFile: text,
  env: record(text),
  approvals: members({}, { rules: listOf(approvalRule, LIMITS.approvalRules) }),
  compaction: members({}, { thresholdTokens: count }),
  maxOutputTokens: count,
  trustedRoots: texts,
};

/** Top-level keys allowed in a settings file. */
export const KNOWN_KEYS: readonly string[] = Object.keys(CHECKS);

/** Known keys without those of the file format, which begin with `$`. */
export const SETTINGS_SECTIONS: readonly string[] = KNOWN_KEYS.filter((key) => !key.startsWith("$"));

/** The problem of a file's values; undefined when the values are usable. Names keys, never values. */
export function settingsProblem(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, check] of Object.entries(CHECKS)) {
    const value = values[key];
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) return `'${key}' ${problem}`;
  }
  return undefined;
}
