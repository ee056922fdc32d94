import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { connectFrames } from "../../process/testing/json-lines.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { Frame } from "../testing/bus-harness.ts";
import { startBus } from "../testing/bus-harness.ts";
import { createUnixTransport } from "../transports/unix.ts";

interface Client {
  readonly socket: Socket;
  readonly frames: Frame[];
  readonly peerId: string;
  readonly send: (body: Frame) => void;
  /** Waits until so many frames fit. */
  readonly framesThat: (count: number, fits: (frame: Frame) => boolean) => Promise<Frame[]>;
}

async function openClient(path: string, role: string): Promise<Client> {
  const { socket, frames, send } = await connectFrames(path);
  const framesThat = (count: number, fits: (frame: Frame) => boolean): Promise<Frame[]> =>
    until(`${count} frames`, () => frames.filter(fits).length >= count && frames.filter(fits));
  send({ id: "hello", cmd: "hello", protocol: "claws/2", role, peerName: role });
  const [hello] = await framesThat(1, ({ rid }) => rid === "hello");
  return { socket, frames, send, framesThat, peerId: String(hello?.["peerId"]) };
}

const RATE = 50;

const log = (message: string): Frame => ({ kind: "LOG", severity: "info", message });

/** Publishes more than is allowed, hangs up, and does it again. Says what became of each. */
async function makeNoise(path: string, connections: number, count: number): Promise<Frame[]> {
  const answers: Frame[] = [];
  for (let n = 0; n < connections; n += 1) {
    const { socket, send, framesThat, peerId } = await openClient(path, "worker");
    for (let at = 0; at < count; at += 1) {
      send({ id: at, cmd: "publish", topic: `worker.${peerId}.event`, payload: log(`noise ${at}`) });
    }
    answers.push(...(await framesThat(count, ({ rid }) => typeof rid === "number")));
    socket.destroy();
    await once(socket, "close");
  }
  return answers;
}

test("a worker that floods, and comes again under other ids, is refused; everything of another arrives", async () => {
  const { bus } = await startBus({ publishRate: RATE });
  const path = join(temporaryFolder(onTestFinished), "claws.sock");
  const transport = createUnixTransport(path);
  await transport.listen(bus.accept);
  onTestFinished(() => transport.close());
  const [quiet, reader] = [await openClient(path, "worker"), await openClient(path, "observer")];
  reader.send({ cmd: "subscribe", topic: "worker.*.event" });
  const noise = makeNoise(path, 4, 1000);
  const said = Array.from({ length: RATE }, (_, at) => `word ${at}`);
  for (const [at, message] of said.entries()) {
    quiet.send({ id: at, cmd: "publish", topic: `worker.${quiet.peerId}.event`, payload: log(message) });
    await quiet.framesThat(1, ({ rid }) => rid === at);
  }
  const answers = await noise;
  const refused = answers.filter(({ ok }) => ok !== true);
  expect([answers.length, answers.length - refused.length]).toEqual([4000, RATE]);
  expect(new Set(refused.map(({ error, retry_after_ms }) => `${String(error)} ${String(retry_after_ms)}`))).toEqual(
    new Set([`rate-limit-exceeded ${1000 / RATE}`]),
  );
  const heard = await reader.framesThat(RATE, ({ from }) => from === quiet.peerId);
  expect(heard.map(({ payload }) => (payload as { data: Frame }).data["message"])).toEqual(said);
  expect(quiet.frames.filter(({ ok, rid }) => ok === true && typeof rid === "number")).toHaveLength(RATE);
});
