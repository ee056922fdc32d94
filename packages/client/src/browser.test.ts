import { createContext, Script } from "node:vm";
import { expect, test } from "vitest";
import type { LineHandler } from "./connection/channels/memory.ts";
import { bundlePage } from "./testing/bundle-page.ts";
import { createModelBus } from "./testing/model-bus.ts";

/** A page's program: publishes, and gives back what it was told. */
const PAGE = `
  import { connectOrchestrator, webSocketChannel } from "claw-client";
  globalThis.result = (async () => {
    const client = connectOrchestrator({ channel: webSocketChannel("ws://bus", { WebSocket }), name: "page" });
    const events = client.subscribe("cmd.**", { own: true });
    const receipt = await client.injectText("p_000009", "from a page");
    const { value } = await events.next();
    await client.close();
    return { receipt, text: value.data.text, from: value.from };
  })();
`;

/** The WebSocket of a page, whose other end is a bus. */
function createFakeWebSocket() {
  const bus = createModelBus();
  return class FakeWebSocket {
    readonly bufferedAmount = 0;
    readonly #listeners = new Map<string, ((event: { data?: string }) => void)[]>();
    readonly #handler: LineHandler;

    constructor() {
      const send = (frame: string): void => this.#tell("message", { data: frame });
      this.#handler = bus.accept({ send, congested: () => false, end: () => this.close() });
      queueMicrotask(() => this.#tell("open", {}));
    }

    addEventListener(type: string, listener: (event: { data?: string }) => void): void {
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
    }

    send(text: string): void {
      this.#handler.line(text);
    }

    close(): void {
      queueMicrotask(() => this.#tell("close", {}));
    }

    #tell(type: string, event: { data?: string }): void {
      for (const listener of this.#listeners.get(type) ?? []) listener(event);
    }
  };
}

test("the package needs no module of Node, and of the globals only those that pages have", async () => {
  const script = await bundlePage(PAGE);
  expect(script).not.toMatch(/\bfrom\s*["']node:|require\(["']/);
  const page = { setTimeout, clearTimeout, queueMicrotask, crypto, WebSocket: createFakeWebSocket() };
  const context = createContext({ ...page, result: undefined });
  new Script(script).runInContext(context);
  expect(await (context["result"] as Promise<unknown>)).toEqual({
    receipt: { sequence: 1, cursor: "0001:1", duplicate: false, deliveredTo: 0 },
    text: "from a page",
    from: "p_000001",
  });
});
