import { expect, test } from "vitest";
import { isSecretName } from "./secret-name.ts";

const SECRET = [
  "ANTHROPIC_API_KEY FOO_TOKEN DB_PASSWORD PGPASSWORD AWS_SECRET_ACCESS_KEY STRIPE_KEY SMTP_PASS DB_PWD TOKEN",
  "SECRET_KEY_BASE GITHUB_TOKEN_2 OPENAI_API_KEY_PROD PROXY_AUTH MY_CREDENTIALS",
  "apiKey api_key apikey APIKey x-api-key access_token accessToken refreshToken authToken resumeToken access_tokens",
  "my-cluster-credentials clientSecret client_secret password Passwd userPassword passphrase credential private_key",
  "Authorization proxy-authorization Set-Cookie --api-key _auth",
];
const HARMLESS = [
  "PATH MAX_TOKENS KEYBOARD_LAYOUT SSH_AUTH_SOCK PWD OLDPWD OLD_PWD PUBLIC_KEY HOME KEY AWS_ACCESS_KEY_ID",
  "DB_PASSWORD_FILE ___ 42 max_tokens max_token input_tokens inputTokens token_count tokenizer tokens next_page_token",
  "time_to_first_token tokenExpired key keys keyboard cache_key primaryKey publicKey monkey",
  "author authority auth oauth apiKeySource api_key_source passwordResetUrl hasPassword requires_token secretary",
  "compass pass bypass cluster-credentials",
];

const names = (lines: readonly string[]): string[] => lines.join(" ").split(" ");

test.each(names(SECRET))("%s holds a secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(["", ...names(HARMLESS)])("%j is harmless", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test("a huge name is judged by its end", () => {
  expect(isSecretName(`${"A".repeat(1_000_000)}_API_KEY`)).toBe(true);
  expect(isSecretName("A".repeat(1_000_000))).toBe(false);
});
