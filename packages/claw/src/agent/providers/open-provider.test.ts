import { describe, expect, test } from "vitest";
import { chooseProvider } from "./choose-provider.ts";
import { openProvider } from "./open-provider.ts";
import { ask } from "./testing/ask.ts";

const never: typeof fetch = () => Promise.reject(new Error("nobody is to be asked"));

const open = (model: string, env: Record<string, string> = {}) =>
  openProvider(chooseProvider(model, {}, env), { env, cwd: "/", fetch: never });

describe("a key that is missing", () => {
  test.each([
    ["claude-opus-4-5", "ANTHROPIC_API_KEY"],
    ["gpt-5", "OPENAI_API_KEY"],
    ["openrouter/a/b", "OPENROUTER_API_KEY"],
  ])("for %s is named before anybody is asked", (model, variable) => {
    const missing = { code: "TOKEN_MISSING", target: variable, hint: expect.stringContaining(variable) as string };
    expect(() => open(model)).toThrow(expect.objectContaining(missing));
    expect(() => open(model, { [variable]: " " })).toThrow(expect.objectContaining(missing));
  });

  test.each(["http://127.0.0.1:8000/v1", "http://localhost:1/v1", "http://192.168.1.5/v1", "http://[::1]:1/v1"])(
    "is none for one's own server at %s",
    (url) => {
      expect(open("gpt-5", { OPENAI_BASE_URL: url }).id).toBe("openai");
    },
  );

  test.each(["https://example.com/v1", "https://10.example.com/v1", "https://127.0.0.1.example.com/v1"])(
    "is one for %s",
    (url) => {
      expect(() => open("gpt-5", { OPENAI_BASE_URL: url })).toThrow(expect.objectContaining({ code: "TOKEN_MISSING" }));
    },
  );
});

test("a key that cannot be one is refused without being repeated", () => {
  const env = { ANTHROPIC_API_KEY: "sk-one\nsk-two" };
  expect(() => open("claude-opus-4-5", env)).toThrow(expect.objectContaining({ code: "TOKEN_INVALID" }));
  expect(() => open("claude-opus-4-5", env)).not.toThrow("sk-two");
});

test.each([
  [{ ANTHROPIC_API_KEY: " key-1\n", ANTHROPIC_AUTH_TOKEN: "token-1" }, "key-1", null],
  [{ ANTHROPIC_AUTH_TOKEN: "token-1" }, null, "Bearer token-1"],
])("of key and token %o the key counts first", async (env, key, bearer) => {
  const seen: Headers[] = [];
  const listening: typeof fetch = (_url, init) => {
    seen.push(new Headers(init?.headers));
    return Promise.resolve(new Response("{}", { status: 400 }));
  };
  const choice = chooseProvider("claude-x", {}, env);
  await expect(ask(openProvider(choice, { env, cwd: "/", fetch: listening }))).rejects.toThrow("refused (400)");
  expect(seen.map((headers) => [headers.get("x-api-key"), headers.get("authorization")])).toEqual([[key, bearer]]);
});

test("a scripted model asks nobody", async () => {
  expect((await ask(open("scripted"), { model: "scripted" })).answer.blocks).toEqual([{ type: "text", text: "hello" }]);
});
