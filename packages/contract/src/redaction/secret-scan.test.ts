import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, MASK } from "./redact.ts";
import { maskAssignments } from "./secret-assignments.ts";
import { createSecretScan } from "./secret-scan.ts";
import { maskPrivateKeys, maskShapes } from "./secret-shapes.ts";

const scan = createSecretScan(() => false);
const { redactText, redactValue, redactJson } = createRedactor();

const LETTERS = "Abcd1234Efgh5678Ijkl9012Mnop3456Qrst7890";
const WORDS =
  "password token apiKey api_key key tokens Authorization Bearer bearer Basic Cookie --token --api-key _auth DB_PWD " +
  "SMTP_PASS SECRET_KEY_BASE GITHUB_TOKEN_2 token_b64 key2_ TOKEN_BASE64 TOKEN_B64 token_v2 apiKeyV2 token_prod api access private sk- sk-ant- ghp_ github_pat_ glpat- npm_ hf_ " +
  "xoxb- AKIA ASIA AIza eyJ ya29. SG. sk_live_ dXNlcjpwYXNz task- ask_ = : == => ' \\ , & ] [ { } :// @ . - _ --";
const pieces = fc.constantFrom(
  ...WORDS.split(" "),
  " ",
  "  ",
  "\t",
  "\n",
  '"',
  String.raw`\"`,
  String.raw`\\\"`,
  String.raw`\n`,
  ": ",
  " = ",
  LETTERS,
  "x",
  "hunter2",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "-----BEGIN PGP PRIVATE KEY BLOCK-----",
  MASK,
);
/** Names of members, plain and odd ones. */
const NAMES = [
  ..."name value password api.key plain headers tokens token_b64 SECRET_KEY_BASE pwd2 token- _auth p\u00e4ssword".split(
    " ",
  ),
  "x api key",
  "",
  'a"token',
];

const texts = fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join(""));

/** What masking does when nothing is looked at first. */
const maskAnyway = (text: string): string => maskAssignments(maskShapes(maskPrivateKeys(text)));

describe("a quick look", () => {
  test("overlooks nothing that masking would change", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(scan.text(text) || maskAnyway(text) === text).toBe(true);
      }),
      { numRuns: 4000 },
    );
  });

  test("changes nothing about what is masked", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = maskPrivateKeys(text)
          .split("\n")
          .map((line) => maskAssignments(maskShapes(line)));
        expect(redactText(text)).toBe(lines.join("\n"));
      }),
      { numRuns: 2000 },
    );
  });

  const leaves = fc.oneof(texts, fc.constantFrom("FOO_TOKEN", "hunter2", "Bash"), fc.integer(), fc.constant(null));
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaves, tie("members"), fc.array(tie("value"), { maxLength: 3 })),
    members: fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 4 }),
  }));

  test("overlooks nothing in a value, however it is nested", () => {
    fc.assert(
      fc.property(values, (given) => {
        // A list that holds a secret beside the value makes the whole be looked at closely.
        const [, closely] = redactValue([{ password: "hunter2" }, given]);
        expect(redactValue(given)).toEqual(closely);
      }),
      { numRuns: 1000 },
    );
  });

  test("overlooks nothing in the JSON text of a value, however it is spaced", () => {
    const spaces = fc.constantFrom("", " ", "\t");
    fc.assert(
      fc.property(values, spaces, (given, space) => {
        const json = JSON.stringify(given, null, space);
        const shown = redactValue(given);
        expect(redactJson(json)).toBe(shown === given ? json : JSON.stringify(shown));
      }),
      { numRuns: 4000 },
    );
  });

  test("of JSON text that is plain parses nothing, and finds a given secret", () => {
    const plain = '{"v":2,"id":"5d0b-4a","data":{"n":1,"said":"all is well: really"}}';
    const closely = ['{"said":"a\\nb"}', '{"value":1}', '{"a b":1}', '{"a" : 1}', "[".repeat(300) + "]".repeat(300)];
    const given = createRedactor({ secrets: ["S3cr3t-V4lue"] });
    const looksSecret = (json: string): boolean => scan.json(json, [json]);
    expect([looksSecret(plain), ...closely.map(looksSecret)]).toEqual([false, ...closely.map(() => true)]);
    expect([given.looksClean(`[${plain}]`, [plain]), given.looksClean('["S3cr3t-V4lue"]', [])]).toEqual([true, false]);
    expect(given.redactJson('["S3cr3t-V4lue"]')).toBe(`["${MASK}"]`);
  });

  test.each([
    '{"type":"assistant","usage":{"input_tokens":12,"max_tokens":5},"uuid":"5e24412d-a7cd-431d-b43e-8acf67f27778"}',
    "the task-notification of task_started asks: which risk-management?",
    "https://example.com:8080/a?b=c, the basics",
    "apiKeySource: none; monkey = 5",
  ])("passes %j by", (text) => {
    expect(scan.text(text)).toBe(false);
  });
});
