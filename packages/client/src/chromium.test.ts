import { expect, onTestFinished, test } from "vitest";
import { connectOrchestrator } from "./orchestrator/connect-orchestrator.ts";
import { bundlePage } from "./testing/bundle-page.ts";
import { openPage } from "./testing/chromium.ts";
import { createPageServer } from "./testing/page-server.ts";
import { startUnixBus } from "./testing/real-bus.ts";

/** A page that publishes, is published to, and reports what it was told after each step. */
const program = (token: string): string => `
  import { connectOrchestrator, webSocketChannel } from "claw-client";
  const report = (what: string, body: unknown) => fetch("/" + what, { method: "POST", body: JSON.stringify(body) });
  const main = async () => {
    const statuses: string[] = [];
    const client = connectOrchestrator({
      channel: webSocketChannel("ws://" + location.host, { WebSocket }),
      name: "page",
      bearer: async () => ${JSON.stringify(token)},
      onStatus: (status) => void statuses.push(status),
    });
    const events = client.subscribe("cmd.**", { own: true });
    const receipt = await client.injectText("p_000009", "from a page, größer ✓ 🐾");
    const { value } = await events.next();
    await report("published", { receipt, text: value.data.text, own: value.from === client.peerId() });
    const { value: next } = await events.next();
    await report("received", { text: next.data.text, statuses });
    const audit = client.subscribeDurable("cmd.**", { name: "page", from: "0000:0" });
    for await (const item of audit) {
      if (item.kind !== "event") continue;
      await audit.ack(item);
      break;
    }
    await client.close();
    await report("closed", { cursor: audit.cursor() });
  };
  main().catch((error) => report("failed", { code: error.code, message: error.message }));
`;

test("a page in Chromium works on the bus, and again after its connection was lost", async () => {
  const page = createPageServer();
  const bus = await startUnixBus();
  const web = await bus.serveWeb({ role: "orchestrator", fallback: page.listen });
  page.serve(await bundlePage(program(web.token)));
  await openPage(web.url.replace("ws:", "http:"));
  expect(await page.report("published")).toEqual({
    receipt: {
      sequence: expect.any(Number),
      cursor: expect.any(String),
      duplicate: false,
      deliveredTo: expect.any(Number),
    },
    text: "from a page, größer ✓ 🐾",
    own: true,
  });
  await web.interrupt();
  const other = connectOrchestrator({ channel: bus.channel, name: "main" });
  onTestFinished(() => other.close());
  await other.injectText("p_000009", "while it was away");
  await web.resume();
  expect(await page.report("received")).toEqual({
    text: "while it was away",
    statuses: ["open", "connecting", "open"],
  });
  expect(await page.report("closed")).toEqual({ cursor: expect.stringMatching(/^0001:\d+$/) });
});
