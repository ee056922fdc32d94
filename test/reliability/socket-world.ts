import { lookFor } from "../../packages/claw/src/process/testing/until.ts";
import { connectFrames } from "../../packages/claw/src/process/testing/json-lines.ts";
import type { Frame, Link, World } from "../../packages/claw/src/bus/testing/model/model-world.ts";
import { startForeground } from "./foreground-daemon.ts";

/** Only what will never happen takes that long. */
const PATIENCE_MS = 10_000;

async function linkTo(path: string): Promise<Link> {
  const { socket, frames, send } = await connectFrames(path);
  return {
    send,
    frames: () => frames,
    congest: (on) => void (on ? socket.pause() : socket.resume()),
    close: () => void socket.destroy(),
  };
}

const until: World["until"] = async (holds) => void (await lookFor(holds, { patienceMs: PATIENCE_MS }));

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
