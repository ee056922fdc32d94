import { expect, test } from "vitest";
import { settingsSecrets } from "./settings-secrets.ts";

test("secrets are what has the name of one, at any depth", () => {
  const secrets = settingsSecrets({
    model: "m",
    env: { NODE_ENV: "production", NPM_TOKEN: "from-env" },
    mcpServers: {
      one: { command: "x", env: { SLACK_TOKEN: "from-server" } },
      two: { url: "http://localhost", headers: { Accept: "text/plain", Authorization: "Bearer abc" } },
      broken: "text",
    },
    providers: { own: { kind: "openai", baseUrl: "http://localhost", apiKey: "a-key" } },
    other: [{ password: "deep" }, null],
  });
  expect(secrets).toEqual(["from-env", "from-server", "Bearer abc", "abc", "a-key", "deep"]);
});

test("no settings have none", () => {
  expect(settingsSecrets({})).toEqual([]);
});
