import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { TASKS_CAPABILITY } from "../layer/tasks/task.ts";
import type { ListenNotification } from "./listen-stream.ts";
import { MODERN, modern, startHttpFace } from "./testing/http-scene.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

interface Frame {
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown; readonly _meta?: { readonly [SUBSCRIPTION]?: unknown } };
  readonly result?: object;
}

/** Reads the messages of a stream as they come. */
function framesOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      const frame = text.slice(0, Math.max(end, 0));
      if (end !== -1) text = text.slice(end + 2);
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) return JSON.parse(data) as Frame;
      if (end !== -1) continue;
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return undefined;
      text += value;
    }
  };
  return { next, leave: () => reader?.cancel() };
}

/** The same request of a client that can have tasks. */
const withTasks = (message: object): object =>
  JSON.parse(
    JSON.stringify(message).replace(
      'clientCapabilities":{}',
      `clientCapabilities":${JSON.stringify(TASKS_CAPABILITY)}`,
    ),
  ) as object;

const listen = (notifications: object) => modern("subscriptions/listen", { notifications });

describe("a subscription", () => {
  test("says first what it delivers, then delivers that and nothing else", async () => {
    const scene = await startHttpFace();
    const uri = "claw://workers/p_000001";
    const response = await scene.post(listen({ resourceSubscriptions: [uri], toolsListChanged: true }));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const { next, leave } = framesOf(response);
    expect(await next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourceSubscriptions: [uri] }, _meta: { [SUBSCRIPTION]: 1 } },
    });
    scene.changed("claw://approvals");
    scene.changed(uri);
    expect(await next()).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri, _meta: { [SUBSCRIPTION]: 1 } },
    });
    await leave();
    await until(() => scene.happened.includes(`unwatched ${uri} by one`));
  });

  test("ends in order when the server stops", async () => {
    const scene = await startHttpFace();
    const { next } = framesOf(await scene.post(listen({ resourceSubscriptions: ["claw://approvals"] })));
    await next();
    await scene.close();
    expect(await next()).toMatchObject({ id: 1, result: { resultType: "complete", _meta: { [SUBSCRIPTION]: 1 } } });
    expect(await next()).toBeUndefined();
    expect(scene.happened).toEqual(["open one", "unwatched claw://approvals by one", "close one"]);
  });

  test("ends when its token ends", async () => {
    const scene = await startHttpFace();
    const { next } = framesOf(await scene.post(listen({ resourceSubscriptions: ["claw://approvals"] })));
    await next();
    scene.expel("one");
    expect(await next()).toHaveProperty("result");
    expect(await next()).toBeUndefined();
  });

  test("to what the server never tells is over at once", async () => {
    const scene = await startHttpFace();
    const { next } = framesOf(await scene.post(listen({ toolsListChanged: true, taskIds: ["t"] })));
    expect(await next()).toMatchObject({ params: { notifications: {} } });
    expect(await next()).toHaveProperty("result");
    expect(await next()).toBeUndefined();
  });

  test("to tasks hears of them, until its client leaves", async () => {
    const told: { ids: readonly string[]; send: (told: ListenNotification) => void; signal: AbortSignal }[] = [];
    const scene = await startHttpFace({
      followTasks: ({ taskIds, call: { signal } }, send) => {
        told.push({ ids: taskIds, send, signal });
        return Promise.resolve({ taskIds, start: () => undefined });
      },
    });
    const { next, leave } = framesOf(await scene.post(withTasks(listen({ taskIds: ["t1", "t2"] }))));
    expect(await next()).toMatchObject({ params: { notifications: { taskIds: ["t1", "t2"] } } });
    told[0]?.send({ method: "notifications/tasks", params: { taskId: "t1", status: "working" } });
    expect(await next()).toMatchObject({
      method: "notifications/tasks",
      params: { taskId: "t1", status: "working", _meta: { [SUBSCRIPTION]: 1 } },
    });
    await leave();
    await until(() => told[0]?.signal.aborted);
    const undeclared = await scene.post(listen({ taskIds: ["t1"] }));
    expect([undeclared.status, await undeclared.json()]).toMatchObject([
      400,
      { error: { code: -32_021, data: { requiredCapabilities: TASKS_CAPABILITY } } },
    ]);
  });

  test("is judged like every request", async () => {
    const scene = await startHttpFace();
    expect((await scene.post(listen({}), { "mcp-method": "tools/list" })).status).toBe(400);
    const wrong = await scene.post(modern("subscriptions/listen", { notifications: 7 }));
    expect([wrong.status, await wrong.json()]).toMatchObject([200, { error: { code: -32_602 } }]);
  });

  test("beyond the limit is refused, and possible again when another one has ended", async () => {
    const scene = await startHttpFace();
    const ask = () => scene.post(listen({ resourceSubscriptions: ["claw://approvals"] }));
    const open = await Promise.all(Array.from({ length: LIMITS.mcpListens }, ask));
    expect(await (await ask()).json()).toMatchObject({ error: { code: -32_603 } });
    await open[0]?.body?.cancel();
    await until(async () => {
      const again = await ask();
      const isOpen = again.headers.get("content-type")?.startsWith("text/event-stream") === true;
      await again.body?.cancel();
      return isOpen;
    });
    await Promise.all(open.slice(1).map((response) => response.body?.cancel() ?? Promise.resolve()));
  });

  test("works with the SDK's own client", async () => {
    const scene = await startHttpFace();
    const client = await scene.connect(MODERN);
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
    });
    const subscription = await client.listen({ resourceSubscriptions: ["claw://approvals"] });
    scene.changed("claw://approvals");
    expect(await updated).toBe("claw://approvals");
    await subscription.close();
    await until(() => scene.happened.includes("unwatched claw://approvals by one"));
  });
});
