import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPrivateAddress } from "./private-address.ts";
import type { Bench } from "../testing/tool-bench.ts";
import { openBench, parsed } from "../testing/tool-bench.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine, and its port. */
async function serve(handler: Handler): Promise<number> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

const open = (allow: readonly string[] = ["web_fetch(domain:127.0.0.1)", "web_fetch(domain:localhost)"]): Bench =>
  openBench(onTestFinished, { rules: { allow } });

const HTML = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
<script>alert("<p>no</p>")</script><h1>Head &amp; more</h1><p>First <b>bold</b>
text.</p><ul><li>one<li>two</ul><a href="/next">link</a><!-- <p>no</p> --><pre>&lt;code&gt; &#x263A;</pre></body></html>`;

describe("web_fetch", () => {
  test("gives a page as text that can be read", async () => {
    const port = await serve((_, response) => response.setHeader("content-type", "text/html").end(HTML));
    const url = `http://127.0.0.1:${port}/`;
    const output = await open().call("WebFetch", { url, prompt: "what?" });
    expect(output).toMatchObject({ isError: false });
    expect(parsed(output as never)).toMatchObject({
      code: 200,
      codeText: "OK",
      bytes: Buffer.byteLength(HTML),
      url,
      result: "# Head & more\n\nFirst bold text.\n\n- one\n- two\nlink (/next)\n\n<code> ☺",
    });
  });

  test("gives JSON and text as they are, and says what is no text", async () => {
    const port = await serve(({ url }, response) =>
      response.setHeader("content-type", url === "/j" ? "application/json" : "image/png").end('{"a":1}'),
    );
    const result = async (path: string): Promise<unknown> =>
      parsed(await open().run("web_fetch", { url: `http://127.0.0.1:${port}${path}` }))["result"];
    expect(await result("/j")).toBe('{"a":1}');
    expect(await result("/p")).toBe("[7 bytes of image/png, which is no text]");
  });

  test("bounds what it takes and what it shows", async () => {
    const port = await serve((_, response) =>
      response.setHeader("content-type", "text/plain").end("x".repeat(8_000_000)),
    );
    const output = await open().run("web_fetch", { url: `http://127.0.0.1:${port}/` });
    expect(output.output.length).toBeLessThan(40_000);
    expect(parsed(output)).toMatchObject({ bytes: 5 * 1024 * 1024 });
  });

  test("follows a redirection to the same host, a few times, and names another", async () => {
    const port = await serve(({ url }, response) => {
      const target = { "/a": "/b", "/loop": "/loop", "/out": "http://example.com/x" }[url ?? ""];
      if (target === undefined) response.setHeader("content-type", "text/plain").end("there");
      else response.writeHead(302, { location: target }).end();
    });
    const fetch = async (path: string): Promise<Record<string, unknown>> =>
      parsed(await open().run("web_fetch", { url: `http://127.0.0.1:${port}${path}` }));
    expect(await fetch("/a")).toMatchObject({ result: "there", url: `http://127.0.0.1:${port}/b` });
    expect(await fetch("/out")).toMatchObject({ code: 302, result: expect.stringContaining("http://example.com/x") });
    expect(await fetch("/loop")).toMatchObject({ code: 302 });
  });

  test("is an error when the page is one", async () => {
    const port = await serve((_, response) => response.writeHead(404).end("no"));
    expect(await open().run("web_fetch", { url: `http://127.0.0.1:${port}/` })).toMatchObject({ isError: true });
  });

  test.each(["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "2130706433"])(
    "does not reach this machine by %s unless a rule names it",
    async (host) => {
      let isReached = false;
      const port = await serve((_, response) => {
        isReached = true;
        response.end();
      });
      const bench = open(["web_fetch"]);
      const output = await bench.call("web_fetch", { url: `http://${host}:${port}/` });
      expect(output).toMatchObject({ isError: true, output: expect.stringContaining("not on the open internet") });
      expect(isReached).toBe(false);
    },
  );

  test.each(["file:///etc/passwd", "ftp://x/", "javascript:1", "nonsense", "http://user:pass@example.com/"])(
    "takes no other address: %s",
    (url) => {
      expect(() => open().judge("web_fetch", { url })).toThrow(
        expect.objectContaining({ code: "ARGUMENT_PARSE_ERROR" }),
      );
    },
  );

  test("asks before it reaches anybody", () => {
    expect(open([]).judge("web_fetch", { url: "https://example.com/" }).decision).toBe("ask");
  });

  test("rejects with the reason when it is cancelled, and says when nobody answers", async () => {
    const port = await serve(() => undefined);
    const controller = new AbortController();
    const running = open().run("web_fetch", { url: `http://127.0.0.1:${port}/` }, controller.signal);
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(await open().run("web_fetch", { url: "http://127.0.0.1:1/" })).toMatchObject({ isError: true });
  });
});

describe("an address", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "::",
    "fe80::1%eth0",
    "fd00::1",
    "::ffff:10.0.0.1",
    "::ffff:a00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "224.0.0.1",
  ])("%s is private", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(["1.1.1.1", "172.32.0.1", "93.184.216.34", "2606:4700::1111"])("%s is public", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
