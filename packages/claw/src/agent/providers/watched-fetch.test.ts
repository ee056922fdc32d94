import { describe, expect, test } from "vitest";
import { watchRequest } from "./watched-fetch.ts";

/** Answers with these chunks, and then goes on for as long as it is not hung up on. */
const answering =
  (...chunks: string[]): typeof fetch =>
  (_url, init) =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start: (controller) => {
            for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
            init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
          },
        }),
        { status: 201, headers: { "request-id": "r" } },
      ),
    );

const never = new AbortController().signal;

describe("a watched request", () => {
  test("has the status, headers and chunks of its answer", async () => {
    const watch = watchRequest({ fetch: answering("one", "two"), idleMs: 100_000 }, never);
    const response = await watch.fetch("http://x", { signal: watch.signal });
    const reader = response.body?.getReader();
    const texts = [await reader?.read(), await reader?.read()].map((read) => new TextDecoder().decode(read?.value));
    expect([response.status, response.headers.get("request-id"), texts]).toEqual([201, "r", ["one", "two"]]);
    watch.close();
    await expect(reader?.read()).rejects.toThrow("aborted");
  });

  test("is ended when its answer is too large", async () => {
    const watch = watchRequest({ fetch: answering("12345", "67890", "1"), idleMs: 100_000, maxBytes: 10 }, never);
    const response = await watch.fetch("http://x", { signal: watch.signal });
    await expect(response.text()).rejects.toThrow("aborted");
    expect(watch.trouble()).toBe("oversized");
    watch.close();
  });

  test("is ended when nothing comes", async () => {
    const watch = watchRequest({ fetch: answering("1"), idleMs: 20 }, never);
    const response = await watch.fetch("http://x", { signal: watch.signal });
    await expect(response.text()).rejects.toThrow("aborted");
    expect(watch.trouble()).toBe("stalled");
    watch.close();
  });

  test("is ended with the reason of the outer signal, before or while it goes on", async () => {
    const leaving = new AbortController();
    const watch = watchRequest({ fetch: answering("1"), idleMs: 100_000 }, leaving.signal);
    leaving.abort(new Error("enough"));
    expect([watch.signal.reason, watch.trouble()]).toEqual([new Error("enough"), undefined]);
    const late = watchRequest({ fetch: answering("1"), idleMs: 100_000 }, leaving.signal);
    expect(late.signal.aborted).toBe(true);
    watch.close();
    late.close();
  });
});
