import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { channelsOf, commandChannel, webhookChannel } from "./channels.ts";
import type { NoticeDelivery } from "./notice-body.ts";

const NOTICE: NoticeDelivery = {
  id: "0001:7",
  kind: "done",
  peerId: "p_1",
  ts: "2026-01-01T00:00:00.000Z",
  content: null,
};
const FOREVER = new AbortController().signal;
const BODY = '{"v":1,"id":"0001:7","kind":"done","peer_id":"p_1","ts":"2026-01-01T00:00:00.000Z","attempt":3}';

const options = () => ({ cwd: temporaryFolder(onTestFinished), env: { PATH: process.env["PATH"], SECRET: "s3cret" } });

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a command gets the notice as a line on its standard input", async () => {
  const given = options();
  const deliver = commandChannel(["sh", "-c", "cat > notice; echo thanks"], given);
  expect(await deliver(NOTICE, 3, FOREVER)).toEqual({ delivered: true, detail: "thanks" });
  expect(readFileSync(join(given.cwd, "notice"), "utf8")).toBe(`${BODY}\n`);
});

test.each([
  [["sh", "-c", "echo no >&2; exit 3"], /^ended with 3: no$/],
  [["sh", "-c", "kill -9 $$"], /^ended with SIGKILL$/],
  [["/nonexistent"], /^did not start: .*ENOENT/],
] as const)("a command that fails has delivered nothing: %j", async (argv, detail) => {
  const deliver = commandChannel(argv, options());
  expect(await deliver(NOTICE, 1, FOREVER)).toEqual({ delivered: false, detail: expect.stringMatching(detail) });
});

test("a command that reads nothing has delivered, and one that hangs is ended with all it started", async () => {
  expect(await commandChannel(["true"], options())(NOTICE, 1, FOREVER)).toMatchObject({ delivered: true });
  const deliver = commandChannel(["sh", "-c", "sleep 600 & sleep 600"], { ...options(), commandMs: 50 });
  expect(await deliver(NOTICE, 1, FOREVER)).toEqual({ delivered: false, detail: "did not end within 0.05 s" });
});

test("a webhook gets the notice with its id and a signature over time and body", async () => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.push({ request, body: Buffer.concat(chunks).toString() });
      response.end("ok");
    });
  });
  const deliver = webhookChannel({ url, secretEnv: "SECRET" }, options());
  expect(await deliver(NOTICE, 3, FOREVER)).toEqual({ delivered: true, detail: "HTTP 200" });
  const [{ request, body } = { request: undefined, body: "" }] = seen;
  const [, time = "", digest = ""] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers["claw-signature"])) ?? [];
  expect([body, request?.headers["claw-delivery"], request?.method]).toEqual([BODY, "0001:7", "POST"]);
  expect(digest).toBe(createHmac("sha256", "s3cret").update(`${time}.${BODY}`).digest("hex"));
});

test("a webhook that fails, redirects, is silent or is not there has delivered nothing", async () => {
  const broken = await serve((_request, response) => void response.writeHead(500).end());
  const moved = await serve((_request, response) => void response.writeHead(302, { location: broken }).end());
  const silent = await serve(() => undefined);
  const send = (url: string, secretEnv = "SECRET", limits = {}) =>
    webhookChannel({ url, secretEnv }, { ...options(), ...limits })(NOTICE, 1, FOREVER);
  expect(await Promise.all([send(broken), send(moved)])).toEqual([
    { delivered: false, detail: "HTTP 500" },
    { delivered: false, detail: "HTTP 302" },
  ]);
  expect(await send(silent, "SECRET", { webhookMs: 100 })).toEqual({
    delivered: false,
    detail: "no answer within 0.1 s",
  });
  expect(await send("http://127.0.0.1:1/")).toMatchObject({ delivered: false });
  expect(await send("no address")).toMatchObject({ delivered: false });
  expect(await send(broken, "NOT_SET")).toEqual({
    delivered: false,
    detail: "the daemon's environment has no NOT_SET",
  });
});

test("the end of the daemon interrupts a delivery", async () => {
  const ending = new AbortController();
  const silent = await serve(() => ending.abort());
  const deliver = webhookChannel({ url: silent, secretEnv: "SECRET" }, options());
  expect(await deliver(NOTICE, 1, ending.signal)).toMatchObject({ delivered: false });
  const command = commandChannel(["sleep", "600"], options());
  expect(await command(NOTICE, 1, AbortSignal.abort())).toEqual({ delivered: false, detail: "was interrupted" });
});

test("the settings name the channels", () => {
  const url = "http://127.0.0.1/";
  expect([...channelsOf({}, options()).keys()]).toEqual([]);
  expect([...channelsOf({ command: ["true"], webhook: { url, secretEnv: "S" } }, options()).keys()]).toEqual([
    "command",
    "webhook",
  ]);
});
