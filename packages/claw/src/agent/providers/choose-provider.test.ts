import { describe, expect, test } from "vitest";
import type { ModelSettings } from "./choose-provider.ts";
import { chooseProvider, MODEL_ALIASES } from "./choose-provider.ts";

const brief = (model: string, env: Record<string, string> = {}, settings: ModelSettings = {}) => {
  const { provider, baseUrl, model: sent } = chooseProvider(model, settings, env);
  return [provider, baseUrl, sent];
};

const ANTHROPIC = "https://api.anthropic.com";
const OPENAI = "https://api.openai.com/v1";
const OPENROUTER = "https://openrouter.ai/api/v1";
const OLLAMA = "http://127.0.0.1:11434/v1";

describe("by its id", () => {
  test.each([
    ["claude-opus-4-5", "anthropic", ANTHROPIC, "claude-opus-4-5"],
    ["anthropic/claude-opus-4-5", "anthropic", ANTHROPIC, "claude-opus-4-5"],
    ["gpt-5.4", "openai", OPENAI, "gpt-5.4"],
    ["o3-mini", "openai", OPENAI, "o3-mini"],
    ["o1", "openai", OPENAI, "o1"],
    ["codex-mini", "openai", OPENAI, "codex-mini"],
    ["openai/gpt-5.4", "openai", OPENAI, "gpt-5.4"],
    ["openrouter/anthropic/claude-sonnet-4.5:beta", "openrouter", OPENROUTER, "anthropic/claude-sonnet-4.5:beta"],
    ["ollama/llama3:8b", "ollama", OLLAMA, "llama3:8b"],
    ["ollama/hf.co/a/b:Q4", "ollama", OLLAMA, "hf.co/a/b:Q4"],
    ["something-else", "anthropic", ANTHROPIC, "something-else"],
    ["meta-llama/Llama-3", "anthropic", ANTHROPIC, "meta-llama/Llama-3"],
    ["openai/", "anthropic", ANTHROPIC, "openai/"],
    ["toString/x", "anthropic", ANTHROPIC, "toString/x"],
  ])("%s is asked of %s", (model, ...expected) => {
    expect(brief(model)).toEqual(expected);
  });

  test.each(["scripted", "scripted:demo/hello.json"])("%s needs neither network nor key", (model) => {
    expect(chooseProvider(model, {}, { OPENAI_BASE_URL: "http://elsewhere" })).toEqual({
      kind: "scripted",
      provider: "scripted",
      baseUrl: null,
      model,
      keyVariables: [],
      keyRequired: false,
    });
  });
});

describe("by the environment", () => {
  const llama = "meta-llama/Llama-3:free";
  test.each([
    ["OPENAI_BASE_URL", { OPENAI_BASE_URL: "http://vllm:8000/v1/", OLLAMA_HOST: "x" }, "openai", "http://vllm:8000/v1"],
    ["OLLAMA_HOST", { OLLAMA_HOST: "0.0.0.0", ANTHROPIC_API_KEY: "k" }, "ollama", OLLAMA],
    ["ANTHROPIC_AUTH_TOKEN", { ANTHROPIC_AUTH_TOKEN: "t", OPENAI_API_KEY: "k" }, "anthropic", ANTHROPIC],
    ["ANTHROPIC_BASE_URL", { ANTHROPIC_BASE_URL: "http://proxy:1/x/v1" }, "anthropic", "http://proxy:1/x"],
    ["OPENAI_API_KEY", { OPENAI_API_KEY: "k" }, "openai", OPENAI],
    ["nothing, where all is empty", { OPENAI_BASE_URL: "", OLLAMA_HOST: " " }, "anthropic", ANTHROPIC],
  ])("%s decides for an unknown model, whose id stays as it is", (_name, env, provider, baseUrl) => {
    expect(brief(llama, env as Record<string, string>)).toEqual([provider, baseUrl, llama]);
  });

  test("OLLAMA_HOST does not take what belongs to others", () => {
    const env = { OLLAMA_HOST: "127.0.0.1:1234" };
    expect([brief("claude-opus-4-5", env)[0], brief("gpt-5", env)[0]]).toEqual(["anthropic", "openai"]);
    expect(brief("gpt-oss:20b", env)).toEqual(["ollama", "http://127.0.0.1:1234/v1", "gpt-oss:20b"]);
  });

  test.each(["not a url", "ftp://host", "http://user:secret@host/v1"])(
    "%s is no address, and is not repeated",
    (url) => {
      const choose = () => chooseProvider("gpt-5", {}, { OPENAI_BASE_URL: url });
      expect(choose).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", target: "OPENAI_BASE_URL" }));
      expect(choose).not.toThrow("secret");
    },
  );
});

describe("by settings", () => {
  const settings: ModelSettings = {
    providers: {
      house: {
        kind: "openai",
        baseUrl: "https://models.example.com/v1",
        apiKeyEnv: "HOUSE_KEY",
        models: ["openai/gpt-oss-20b"],
      },
      claudish: { kind: "anthropic", baseUrl: "http://localhost:9000/v1", apiKeyEnv: "CLAUDISH_KEY" },
    },
    aliases: { fast: "house/small", sonnet: "claude-sonnet-4-5", loop: "fast" },
  };

  test("a model they list goes there, whatever its id looks like", () => {
    expect(chooseProvider("openai/gpt-oss-20b", settings, {})).toEqual({
      kind: "openai",
      provider: "house",
      baseUrl: "https://models.example.com/v1",
      model: "openai/gpt-oss-20b",
      keyVariables: ["HOUSE_KEY"],
      keyRequired: true,
    });
  });

  test("a provider they name takes what stands behind its name", () => {
    expect(brief("house/a/b:c", {}, settings)).toEqual(["house", "https://models.example.com/v1", "a/b:c"]);
    expect(chooseProvider("claudish/x", settings, {})).toMatchObject({
      kind: "anthropic",
      baseUrl: "http://localhost:9000",
      model: "x",
      keyRequired: false,
    });
  });

  test("aliases are followed for one step, one's own before the built-in", () => {
    expect(brief("fast", {}, settings)[2]).toBe("small");
    expect(brief("sonnet", {}, settings)[2]).toBe("claude-sonnet-4-5");
    expect(brief("loop", {}, settings)[2]).toBe("fast");
    expect(["opus", "sonnet", "haiku"].map((alias) => brief(alias)[2])).toEqual(Object.values(MODEL_ALIASES));
  });
});
