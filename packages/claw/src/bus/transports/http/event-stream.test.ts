import type { IncomingMessage } from "node:http";
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import type { HttpScene } from "../../testing/start-http.ts";
import { startHttp } from "../../testing/start-http.ts";
import { eventOf } from "./event-stream.ts";

interface Stream {
  readonly response: IncomingMessage;
  /** Everything received so far. */
  text(): string;
  close(): void;
}

function open(scene: HttpScene, path: string, more: Record<string, string> = {}): Promise<Stream> {
  const headers = { ...scene.mint({ role: "observer" }), ...more };
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port: scene.port, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", () => response.destroy());
      resolve({ response, text: () => text, close: () => call.destroy() });
    });
    onTestFinished(() => void call.destroy());
    call.on("error", reject);
    call.end();
  });
}

interface ServerSentEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

function eventsOf(stream: Stream): ServerSentEvent[] {
  const blocks = stream.text().split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map(block.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]));
    const data = fields.get("data");
    if (data === undefined) return [];
    const type = fields.get("event") ?? "message";
    return [{ id: fields.get("id"), type, data: JSON.parse(data) as Record<string, unknown> }];
  });
}

const messages = (stream: Stream): ServerSentEvent[] => eventsOf(stream).filter(({ type }) => type === "message");
const numbers = (stream: Stream): unknown[] => messages(stream).map(({ data }) => (data["payload"] as { n: number }).n);

async function publisher(scene: HttpScene): Promise<(from: number, to: number, filling?: string) => Promise<void>> {
  const client = scene.connect();
  await client.hello({ role: "orchestrator" });
  return async (from, to, filling = "") => {
    const before = client.raw.frames.length;
    for (let n = from; n <= to; n += 1) {
      client.raw.send(JSON.stringify({ cmd: "publish", topic: "note.x", payload: { n, filling } }));
    }
    await until(() => client.raw.frames.length === before + to - from + 1);
  };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe("an event stream", () => {
  test("brings history after a cursor, says when it is over, and goes on live without a seam", async () => {
    const scene = await startHttp();
    const publish = await publisher(scene);
    await publish(1, 20);
    const stream = await open(scene, "/events?topic=note.*&cursor=0000:0");
    expect([stream.response.statusCode, stream.response.headers["content-type"]]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    await publish(21, 40);
    await until(() => numbers(stream).length === 40);
    expect(numbers(stream)).toEqual(range(1, 40));
    expect(eventsOf(stream).filter(({ type }) => type === "caught-up")).toHaveLength(1);
    expect(messages(stream).every(({ id, data }) => id === data["cursor"])).toBe(true);
  });

  test("resumes after the last event its reader saw", async () => {
    const scene = await startHttp();
    const publish = await publisher(scene);
    const first = await open(scene, "/events?topic=note.*");
    await publish(1, 3);
    await until(() => numbers(first).length === 3);
    first.close();
    await publish(4, 6);
    const lastSeen = messages(first)[1]?.id ?? "";
    const second = await open(scene, "/events?topic=note.*&cursor=0000:0", { "last-event-id": lastSeen });
    await until(() => numbers(second).length === 4);
    expect(numbers(second)).toEqual([3, 4, 5, 6]);
  });

  test("tells a reader without a cursor where it began", async () => {
    const scene = await startHttp();
    await (
      await publisher(scene)
    )(1, 3);
    const stream = await open(scene, "/events?topic=note.*");
    await until(() => stream.text() !== "");
    expect(stream.text()).toMatch(/^id: 0001:\d+\nretry: 1000\n\n$/);
  });

  test("serves a reader that stops for a while from the log, in order", async () => {
    const scene = await startHttp();
    const publish = await publisher(scene);
    const stream = await open(scene, "/events?topic=note.*");
    await until(() => stream.text() !== "");
    stream.response.pause();
    const filling = "x".repeat(20_000);
    await publish(1, 1000, filling);
    const live = [...scene.context.peers.values()].flatMap(({ subscriptions }) => [...subscriptions.values()]);
    expect(live.map((subscription) => subscription.live)).toEqual([false]);
    stream.response.resume();
    await until(() => stream.text().length > 20_000_000 && numbers(stream).length === 1000);
    expect(numbers(stream)).toEqual(range(1, 1000));
  });

  test("is kept alive by comments", async () => {
    const scene = await startHttp({ times: { heartbeatMs: 10 } });
    const stream = await open(scene, "/events?topic=note.*");
    await until(() => stream.text().endsWith(":\n\n:\n\n"));
    expect(eventsOf(stream)).toEqual([]);
  });

  test("leaves no peer behind when its reader goes", async () => {
    const scene = await startHttp();
    const stream = await open(scene, "/events?topic=note.*");
    expect(scene.bus.host.peers.size).toBe(1);
    stream.close();
    await until(() => scene.bus.host.peers.size === 0);
  });

  test.each([
    ["/events", "one topic required"],
    ["/events?topic=a&topic=b", "one topic required"],
    ["/events?topic=", "topic required"],
    ["/events?topic=a..b", "topic invalid"],
    ["/events?topic=a&cursor=x", "invalid cursor format"],
    ["/events?topic=a&cursor=0001:99", "invalid cursor"],
  ])("%s is refused: %s", async (path, error) => {
    const scene = await startHttp();
    expect(await scene.ask(path, { headers: scene.mint({ role: "observer" }) })).toMatchObject({
      status: 400,
      body: { ok: false, error },
    });
  });

  test.each([
    ["x", "invalid cursor format"],
    ["0001:", "invalid cursor format"],
    ["0001:-1", "invalid cursor format"],
    ["0001:1e3", "invalid cursor format"],
    ["1:1", "invalid cursor format"],
    [`0001:${"9".repeat(40)}`, "invalid cursor format"],
    ["0001:999999", "invalid cursor"],
  ])("is refused to a reader whose last event was %j: %s", async (last, error) => {
    const scene = await startHttp();
    const headers = { ...scene.mint({ role: "observer" }), "last-event-id": last };
    expect(await scene.ask("/events?topic=a", { headers })).toMatchObject({ status: 400, body: { ok: false, error } });
  });

  test("says that there is a gap to a reader that comes from another log, and brings everything", async () => {
    const scene = await startHttp();
    await (
      await publisher(scene)
    )(1, 3);
    const stream = await open(scene, "/events?topic=note.*", { "last-event-id": "0007:12" });
    await until(() => messages(stream).length === 3);
    expect(eventsOf(stream)[0]).toMatchObject({ type: "gap", data: { from: "0007:12", reason: "epoch" } });
    expect(numbers(stream)).toEqual([1, 2, 3]);
  });

  test("begins at the end for a reader whose last event has no name, as one that has seen none", async () => {
    const scene = await startHttp();
    const publish = await publisher(scene);
    await publish(1, 2);
    const stream = await open(scene, "/events?topic=note.*", { "last-event-id": "" });
    await publish(3, 3);
    await until(() => messages(stream).length === 1);
    expect(numbers(stream)).toEqual([3]);
  });

  test("is open to a worker's token, for watching alone", async () => {
    const scene = await startHttp();
    const stream = await open(scene, "/events?topic=note.*", scene.mint({ role: "worker" }));
    expect(stream.response.statusCode).toBe(200);
    expect([...scene.bus.host.peers.values()].map(({ role }) => role)).toEqual(["observer"]);
  });
});

test("gaps and other notices are events of their own kind", () => {
  expect(eventOf('{"push":"gap","from":"0001:1"}')).toBe('event: gap\ndata: {"push":"gap","from":"0001:1"}\n\n');
});
