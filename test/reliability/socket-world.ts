import type { Socket } from "node:net";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Frame, Link, World } from "../../packages/claw/src/bus/testing/model/model-world.ts";
import { startForeground } from "./foreground-daemon.ts";

/** Only what will never happen takes that long. */
const PATIENCE_MS = 10_000;
const POLL_MS = 2;

function openSocket(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });
}

async function linkTo(path: string): Promise<Link> {
  const socket = await openSocket(path);
  const frames: Frame[] = [];
  let rest = "";
  socket.on("error", () => socket.destroy());
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    frames.push(...lines.map((line) => JSON.parse(line) as Frame));
  });
  return {
    send: (frame) => void socket.write(`${JSON.stringify(frame)}\n`),
    frames: () => frames,
    congest: (on) => void (on ? socket.pause() : socket.resume()),
    close: () => void socket.destroy(),
  };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end && !(await holds());) {
    await setTimeout(POLL_MS);
  }
}

const counter = { asked: 0 };

async function ask(link: Link, cmd: string): Promise<Frame> {
  counter.asked += 1;
  const id = `world ${counter.asked}`;
  const answer = (): Frame | undefined => link.frames().find(({ rid }) => rid === id);
  link.send({ id, cmd });
  await until(() => answer() !== undefined);
  return answer() ?? {};
}

/** A real daemon on a real socket; a crash is `kill -9`. */
export async function createSocketWorld(folder: string): Promise<World> {
  let daemon = await startForeground(folder);
  let control = await linkTo(daemon.socket);
  return {
    connect: () => linkTo(daemon.socket),
    crash: async () => {
      await daemon.kill();
      daemon = await startForeground(folder);
      control = await linkTo(daemon.socket);
    },
    head: async () => Number(((await ask(control, "introspect"))["log"] as Frame | undefined)?.["head"]),
    until,
    // An answer comes behind everything that was pushed before it.
    quiet: async (links) => void (await Promise.all(links.map((link) => ask(link, "ping")))),
    close: () => daemon.kill(),
  };
}
