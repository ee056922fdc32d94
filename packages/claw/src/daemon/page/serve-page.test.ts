import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { codingFor } from "./serve-file.ts";
import { askPage, enterWith, PAGE_BODIES, startPageScene } from "./testing/page-scene.ts";
import type { Visitor } from "./testing/page-scene.ts";

const visit = async (): Promise<Visitor> => enterWith((await (await startPageScene()).open()).urls[0] ?? "");

const SCRIPT = "assets/index-abc.js";

describe("the page's files", () => {
  test("come as small as the browser takes them, whole, with the policy and their lifetime", async () => {
    const { get } = await visit();
    const [br, gzip, plain] = await Promise.all(
      ["gzip, deflate, br", "gzip", ""].map((coding) => get(SCRIPT, { headers: { "accept-encoding": coding } })),
    );
    expect([br, gzip, plain].map((each) => each?.headers["content-encoding"])).toEqual(["br", "gzip", undefined]);
    const bodies = [brotliDecompressSync(br?.body ?? ""), gunzipSync(gzip?.body ?? ""), plain?.body];
    expect(bodies.map(String)).toEqual(bodies.map(() => PAGE_BODIES[SCRIPT]));
    expect(new Set([br, gzip, plain].map((each) => each?.headers.etag)).size).toBe(3);
    expect(br?.headers).toMatchObject({
      "content-type": "text/javascript",
      "cache-control": "private, max-age=31536000, immutable",
      vary: "accept-encoding",
      "accept-ranges": "none",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = br?.headers["content-security-policy"] ?? "";
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "connect-src 'self'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain("unsafe");
  });

  test("are not sent again to a browser that has them", async () => {
    const { get } = await visit();
    const { headers } = await get("");
    expect(headers["cache-control"]).toBe("private, no-cache");
    const again = await get("", { headers: { "if-none-match": `"x", W/${headers.etag ?? ""}` } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await get("", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("answer HEAD with the headers alone, and a request for a part with the whole", async () => {
    const { get } = await visit();
    const [head, part, whole] = await Promise.all([
      get(SCRIPT, { method: "HEAD" }),
      get(SCRIPT, { headers: { range: "bytes=0-3" } }),
      get(SCRIPT),
    ]);
    expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([
      200,
      0,
      whole.headers["content-length"],
    ]);
    expect([part.status, part.body.equals(whole.body)]).toEqual([200, true]);
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])("refuse %s", async (method) => {
    const { get } = await visit();
    const refused = await get(SCRIPT, { method });
    expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test.each([
    "nothing",
    "index.html",
    "files.json",
    "index.html.br",
    "assets/",
    "assets/index-abc.js/",
    "../page.json",
    "../../etc/passwd",
    "..%2fpage.json",
    "%2e%2e/page.json",
    "..\\page.json",
    "//etc/passwd",
    "assets/../index.html",
    "assets/index-abc.js%00",
    "constructor",
    "__proto__",
    "socket",
  ])("do not lead to %s", async (name) => {
    const { get } = await visit();
    expect((await get(name)).status).toBe(404);
  });

  test("are not for a browser without a session", async () => {
    const { get } = await visit();
    const answers = await Promise.all(["", SCRIPT, "nothing"].map((name) => get(name, { headers: { cookie: "" } })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers[0]?.body.toString()).toContain("claw dashboard");
    expect(answers[0]?.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test("have one path: another key, and the top of the server, lead nowhere", async () => {
    const visitor = await visit();
    const { path, origin, cookie } = visitor;
    const ask = (address: string) => askPage(origin, address, { headers: { cookie } });
    const slashless = await ask(path.slice(0, -1));
    expect([slashless.status, slashless.headers.location]).toEqual([308, path]);
    expect((await ask("/aaaaaaaaaaaa/")).status).toBe(404);
    expect((await ask(path.toUpperCase())).status).toBe(404);
    expect((await ask("/")).status).toBe(401);
    expect((await ask("/health")).status).toBe(200);
  });
});

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["br", "br"],
  ["BR;q=0.5, gzip", "br"],
  ["br;q=0, gzip;q=0.1", "gzip"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["gzip;q=nonsense", "identity"],
  ["br;;;q,,gzip", "gzip"],
])("for a browser that takes %j the body is %s", (header, coding) => {
  expect(codingFor(header)).toBe(coding);
});
