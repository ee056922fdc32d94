import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { startHttp } from "../../testing/start-http.ts";
import { createTokenStore } from "../../access/tokens/index.ts";
import { sendAnswer } from "./reply.ts";
import type { Mount, TokenHolder } from "./mount.ts";

const HOUR = 60 * 60 * 1000;

/** A mount that says who came, and how much of the body it read. */
function startMount(over: Partial<Mount> = {}) {
  let now = HOUR;
  const tokens = createTokenStore(() => now);
  const served: TokenHolder[] = [];
  const mount: Mount = {
    path: "/other",
    readToken: (bearer) => (bearer === undefined ? { kind: "missing" } : tokens.read(bearer)),
    serve: (_request, response, holder) => {
      served.push(holder);
      return Promise.resolve(sendAnswer(response, { status: 200, body: { role: holder.role } }));
    },
    ...over,
  };
  const scene = startHttp({ mounts: [mount] });
  return { scene, tokens, served, at: (ms: number) => void (now = ms) };
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("a protocol beside the bus", () => {
  test("gets the holder of a token, whatever the method", async () => {
    const { scene, tokens, served } = startMount();
    const { ask } = await scene;
    const token = tokens.mint({ role: "observer", peer: "eye" });
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      expect(await ask("/other", { ...bearer(token), method })).toMatchObject({
        status: 200,
        body: { role: "observer" },
      });
    }
    expect(new Set(served.map(({ id }) => id)).size).toBe(1);
    expect(served[0]).toMatchObject({ role: "observer", peer: "eye", bearer: token });
  });

  test("is not reached by other paths", async () => {
    const { scene, tokens, served } = startMount();
    const { ask } = await scene;
    const token = tokens.mint({ role: "observer" });
    for (const path of ["/other/", "/other/x", "/OTHER", "//other", "/x/../oth"]) {
      expect(await ask(path, bearer(token))).toMatchObject({ status: 404 });
    }
    expect(served).toEqual([]);
  });

  test("never sees a client without a valid token", async () => {
    const { scene, tokens, served, at } = startMount();
    const { ask } = await scene;
    const expired = tokens.mint({ role: "observer", lifetimeMs: HOUR });
    const revoked = tokens.issue({ role: "observer" });
    tokens.revoke(revoked?.about.id ?? "");
    at(3 * HOUR);
    const cases: [Parameters<typeof ask>[1], unknown][] = [
      [{}, { ok: false, error: "auth:required" }],
      [{ headers: { authorization: "Basic abc" } }, { ok: false, error: "auth:required" }],
      [bearer("claw1.forged.token"), { ok: false, error: "auth:invalid" }],
      [bearer("x".repeat(LIMITS.tokenLength + 1)), { ok: false, error: "auth:invalid" }],
      [bearer(expired), { ok: false, error: "auth:expired" }],
      [bearer(tokens.mint({ role: "observer", browser: "Firefox" })), { ok: false, error: "auth:invalid" }],
      [bearer(revoked?.token ?? ""), { ok: false, error: "auth:invalid", reason: "revoked" }],
    ];
    for (const [call, body] of cases) {
      const answer = await ask("/other", { ...call, body: "{}" });
      expect([answer.status, answer.body, answer.headers["www-authenticate"]]).toEqual([401, body, "Bearer"]);
    }
    expect(served).toEqual([]);
  });

  test.each([
    ["another host", { host: "evil.example" }],
    ["another origin", { origin: "http://evil.example" }],
    ["an origin that is none", { origin: "null" }],
  ])("never sees %s, even with a token", async (_what, headers) => {
    const { scene, tokens, served } = startMount();
    const { ask } = await scene;
    const { authorization } = bearer(tokens.mint({ role: "orchestrator" })).headers;
    expect(await ask("/other", { headers: { authorization, ...headers } })).toMatchObject({ status: 403 });
    expect(served).toEqual([]);
  });

  test("that fails is answered for, and the server goes on", async () => {
    const { scene, tokens } = startMount({ serve: () => Promise.reject(new Error("broken")) });
    const { ask } = await scene;
    const token = tokens.mint({ role: "observer" });
    expect(await ask("/other", bearer(token))).toMatchObject({ status: 500, body: { error: "internal error" } });
    expect(await ask("/health")).toMatchObject({ status: 200 });
  });
});
