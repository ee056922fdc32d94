import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, MASK, MAX_REDACTED_DEPTH } from "./redact.ts";

const { redactText, redactValue } = createRedactor();
const LETTERS = "Abcd1234Efgh5678Ijkl9012Mnop3456Qrst7890";
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${LETTERS}`;
const PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow+/=\nabc\n-----END RSA PRIVATE KEY-----";

describe("given secrets", () => {
  test("are masked everywhere, the longest first", () => {
    const redactor = createRedactor({ secrets: ["hunter2hunter2", "hunter2hunter2-and-more"] });
    expect(redactor.redactText("<hunter2hunter2-and-more> hunter2hunter2!")).toBe(`<${MASK}> ${MASK}!`);
  });

  test("are found in their JSON and URL spellings too", () => {
    const secret = 'p"ss wörd/1';
    const redactor = createRedactor({ secrets: [secret] });
    expect(redactor.redactText(`${JSON.stringify({ a: secret })} ?q=${encodeURIComponent(secret)}`)).toBe(
      `{"a":"${MASK}"} ?q=${MASK}`,
    );
  });

  test("that are too short, part of the mask or no valid text do no harm", () => {
    const redactor = createRedactor({ secrets: ["", "short", "REDACTED", "\uD800 lonely half"] });
    expect(redactor.redactText("short REDACTED \uD800 lonely half $&")).toBe(`short REDACTED ${MASK} $&`);
  });

  test("count in member names, and no value is lost by that", () => {
    const redactor = createRedactor({ secrets: ["first-secret", "second-secret"] });
    expect(redactor.redactValue({ "first-secret": 1, "second-secret": 2, plain: 3 })).toEqual({
      [MASK]: 1,
      [`${MASK} 2`]: 2,
      plain: 3,
    });
  });
});

describe("known shapes", () => {
  test.each([
    `sk-ant-api03-${LETTERS}`,
    "sk-ant-test-key",
    `sk-proj-${LETTERS}`,
    `sk-${LETTERS}`,
    `sk-${"a".repeat(40)}`,
    `ghp_${LETTERS}`,
    `gho_${LETTERS}`,
    `ghs_${LETTERS}`,
    `github_pat_${LETTERS}`,
    `xoxb-${LETTERS}`,
    `xoxp-1234567890-ab`,
    "AKIAIOSFODNN7EXAMPLE",
    `AIza${LETTERS.slice(0, 35)}`,
    `ya29.${LETTERS}`,
    `SG.${LETTERS.slice(0, 22)}.${LETTERS}`,
    JWT,
    PEM,
    PEM.replaceAll("\n", String.raw`\n`),
  ])("%s is masked where it stands", (key) => {
    expect(redactText(`before ${key} after`)).toBe(`before ${MASK} after`);
    expect(redactText(`"${key}"`)).toBe(`"${MASK}"`);
  });

  test.each([
    "task-bbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    "risk-management-for-everybody-at-home",
    "sk-toggleable-content-label-arrow",
    "desk-1234567890123456789012",
    "sk-ant-...",
    "ghp_short",
    "AKIA",
    "1.2.3",
    "eyJ.a.b",
    "a.b.c",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "0123456789abcdef0123456789abcdef01234567",
  ])("%s is no secret", (text) => {
    expect(redactText(text)).toBe(text);
  });

  test("a private key whose end was cut off is masked as far as it goes", () => {
    expect(redactText("-----BEGIN PRIVATE KEY-----\nMIIE\nabc")).toBe(MASK);
  });

  test("text between two private keys stays", () => {
    expect(redactText(`a ${PEM} b ${PEM} c`)).toBe(`a ${MASK} b ${MASK} c`);
  });
});

describe("credentials in headers and URLs", () => {
  test.each([
    ["Authorization: Bearer abc", `Authorization: Bearer ${MASK}`],
    ["authorization: basic dXNlcjpwYXNz", `authorization: basic ${MASK}`],
    ['curl -H "Authorization: Bearer abc.def" https://x', `curl -H "Authorization: Bearer ${MASK}" https://x`],
    ['{"Authorization":"Bearer abc def"}', `{"Authorization":"Bearer ${MASK}"}`],
    ["Proxy-Authorization: abc12345", `Proxy-Authorization: ${MASK}`],
    [`sent bearer ${LETTERS}.`, `sent bearer ${MASK}`],
    ["curl -H 'Basic dXNlcjpwYXNzd29yZA=='", `curl -H 'Basic ${MASK}'`],
    ["with basic dXNlcjpwYXNz, twice", `with basic ${MASK}, twice`],
    ["Cookie: sid=1; theme=dark\nnext", `Cookie: ${MASK}\nnext`],
    ["postgres://app:s3cret@db:5432/x", `postgres://app:${MASK}@db:5432/x`],
    ["git clone https://x-access-token:abc@github.com/a/b", `git clone https://x-access-token:${MASK}@github.com/a/b`],
    ["https://:pass@host/", `https://:${MASK}@host/`],
  ])("%j becomes %j", (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  test.each([
    "https://user@host:8080/path",
    "http://localhost:3000/a@b",
    "https://example.com/?q=a:b@c",
    "mailto:me@example.com",
    "postgres://app:${DB_PASSWORD}@db/x",
    "Authorization is required",
    "authorization: required",
    "bearer of bad news",
    "Bearer authentication-is-described-here",
    "basic information about everything",
    "Basic subscription",
    "basic understanding",
  ])("%j stays", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("assignments in text", () => {
  test.each([
    ["password=hunter2", `password=${MASK}`],
    ["password: hunter2", `password: ${MASK}`],
    ["API_KEY=abc,def;ghi next=1", `API_KEY=${MASK} next=1`],
    ["https://x/?api_key=abc&page=2", `https://x/?api_key=${MASK}&page=2`],
    ["url: https://x/?access_token=abc", `url: https://x/?access_token=${MASK}`],
    ["login(password=abc, user=bob)", `login(password=${MASK}, user=bob)`],
    ['{"apiKey": "a \\"b\\" c", "n": 1}', `{"apiKey": "${MASK}", "n": 1}`],
    [String.raw`"{\"clientSecret\":\"ab\\\"cd\",\"n\":1}"`, String.raw`"{\"clientSecret\":\"[REDACTED]\",\"n\":1}"`],
    ["refreshToken: 'correct horse'", `refreshToken: '${MASK}'`],
    ['password: "cut off at the end', `password: "${MASK}`],
    ["claw --api-key abc123 --verbose", `claw --api-key ${MASK} --verbose`],
    ["claw --token=abc", `claw --token=${MASK}`],
    ["password: swordfish\nuser: bob", `password: ${MASK}\nuser: bob`],
    ["invalid API key: abc123", `invalid API key: ${MASK}`],
    [String.raw`{"log":"first\ntoken=abc123\nlast"}`, String.raw`{"log":"first\ntoken=${MASK}"}`],
    [String.raw`"a\tsk-ant-12345678"`, String.raw`"a\t${MASK}"`],
    ["const apiKey = abc123;", `const apiKey = ${MASK};`],
  ])("%j becomes %j", (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  test.each([
    "open the password reset page",
    "max_tokens: 4096",
    "input_tokens=12",
    "token_count: 7",
    "keyboard: qwertyuiop",
    "author: Jane Austen-Smith",
    "authority=example.com",
    "tokenizer: cl100k_base",
    'apiKeySource: "ANTHROPIC_API_KEY"',
    "password: string;",
    "token: Token",
    "token: AccessToken; password = user_password",
    "Usage: claw --token TOKEN",
    'words="--bus-credentials --bus-ca --token --yes"',
    "case 'token': return",
    "token: see the docs",
    "Password: required.",
    "secret: null",
    "password=",
    "apiKey: options.apiKey,",
    "const apiKey = process.env.API_KEY",
    "password: z.string().min(8)",
    "token = nextToken()",
    'apiKey: "${API_KEY}"',
    "x-api-key: $ANTHROPIC_API_KEY",
    "--token <TOKEN>",
    '{"key": "Enter"}',
    "token?: string",
    '{"password": null, "secret": true, "token": 5}',
    '"password": {"type": "string"}',
    "TOKEN_EXPIRED: log in again",
    "INVALID_TOKEN: unexpected",
    `password=${MASK}`,
  ])("%j stays", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("values", () => {
  test("secrets disappear and everything else keeps its place", () => {
    const value = {
      headers: { Authorization: "Bearer abc", "X-Api-Key": "k", Accept: "text/html" },
      args: ["--token=abc", "plain"],
      env: [
        { name: "FOO_TOKEN", value: "abc" },
        { name: "PATH", value: "/bin" },
      ],
      credentials: { user: "bob", pins: ["1", 2, null] },
      usage: { max_tokens: 5, input_tokens: "12", key: "Enter" },
      secret: false,
      token: 7,
      password: "",
      api_key: null,
      clientSecret: "${CLIENT_SECRET}",
      apiKeySource: "env",
    };
    expect(redactValue(value)).toEqual({
      ...value,
      headers: { Authorization: `Bearer ${MASK}`, "X-Api-Key": MASK, Accept: "text/html" },
      args: [`--token=${MASK}`, "plain"],
      env: [
        { name: "FOO_TOKEN", value: MASK },
        { name: "PATH", value: "/bin" },
      ],
      credentials: { user: MASK, pins: [MASK, 2, null] },
    });
  });

  test("parts without secrets come back as they are", () => {
    const value = { dirty: { password: "x" }, clean: { list: [1, { a: "b" }] } };
    const redacted = redactValue(value);
    expect(redacted).not.toBe(value);
    expect(redacted.clean).toBe(value.clean);
    expect(value.dirty.password).toBe("x");
    expect(redactValue(value.clean)).toBe(value.clean);
  });

  test("a schema that describes a secret is left alone", () => {
    const schema = { properties: { password: { type: "string", description: "yours" }, token: { $ref: "#/t" } } };
    expect(redactValue(schema)).toBe(schema);
  });

  test("a member called __proto__ stays a member", () => {
    const value = JSON.parse('{"__proto__":{"password":"x"}}') as object;
    expect(JSON.stringify(redactValue(value))).toBe(`{"__proto__":{"password":"${MASK}"}}`);
  });

  test("what is nested too deeply is masked whole", () => {
    const deep = JSON.parse(`${"[".repeat(5000)}"sk-ant-test-key"${"]".repeat(5000)}`) as unknown;
    const expected = `${"[".repeat(MAX_REDACTED_DEPTH)}"${MASK}"${"]".repeat(MAX_REDACTED_DEPTH)}`;
    expect(JSON.stringify(redactValue(deep))).toBe(expected);
  });
});

describe("whatever comes", () => {
  const pieces = fc.constantFrom(
    ..."password token apiKey Authorization Bearer Cookie --token _ a1 abcdefgh".split(" "),
    ..."= : ' \\ , & ] [ ${ } :// @ sk-ant-12345678".split(" "),
    ": ",
    " ",
    "\n",
    '"',
    String.raw`\"`,
    MASK,
    JWT,
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
  );
  const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

  test("redacting twice changes nothing more", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactText(text);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  test("a given secret never survives", () => {
    const redactor = createRedactor({ secrets: ["S3cr3t-V4lue"] });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(redactor.redactText(`${before}S3cr3t-V4lue${after}`)).not.toContain("S3cr3t-V4lue");
      }),
    );
  });

  test("a JSON value keeps its shape, and without secrets its identity", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const redacted = redactValue(value);
        const isUnchanged = JSON.stringify(redacted) === JSON.stringify(value);
        expect(Object.is(redacted, value)).toBe(isUnchanged);
        expect(Array.isArray(redacted)).toBe(Array.isArray(value));
      }),
    );
  });

  test.each([
    "a",
    "A",
    "_-",
    " ",
    "=",
    ":",
    "\\",
    "--",
    "eyJ-",
    "eyJaaaaaaaaa.",
    "eyJaaaaaaaaa.a.",
    "sk-",
    "AKIA",
    "://a:b",
    "bearer ",
    "token",
    "token=",
    "token: ",
    'token:"',
    "token='",
    'token:\\"',
    String.raw`token:\"\\\\`,
    "--token ",
    "token=${",
    "-----BEGIN PRIVATE KEY-----",
    "authorization: bearer ",
    "cookie:a",
    "api_key=abc\n",
  ])("a megabyte of %j is redacted without going over it again and again", (piece) => {
    expect(typeof redactText(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toBe("string");
  });

  test.each(["", "sk-ant-", "eyJ", "Bearer ", "token=", 'token: "', "cookie: ", "https://a:"])(
    "one run of many megabytes after %j does not exhaust the stack",
    (start) => {
      expect(typeof redactText(start + "a1".repeat(5_000_000))).toBe("string");
    },
  );
});
