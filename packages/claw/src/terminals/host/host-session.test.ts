import { mkdirSync } from "node:fs";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { onLines } from "../../process/testing/json-lines.ts";
import { until } from "../../process/testing/until.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createHostDoor } from "./host-door.ts";
import { HostSession } from "./host-session.ts";
import { createKeptScreens } from "./kept-screens.ts";
import { loadPty } from "../pty/load-pty.ts";
import { createTerminalHost } from "./terminal-host.ts";
import { connectTestClient, open } from "../testing/start-test-host.ts";

/** An answer or a push, as far as it matters here. */
interface Frame {
  readonly rid?: number;
  readonly push?: string;
  readonly offset?: number;
  readonly data?: string;
}

const TOKEN = "0123456789abcdef";

/** A host, and its end of every connection. */
async function startHost() {
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder, { mode: 0o700 });
  const report = (problem: string): void => void problems.push(problem);
  const problems: string[] = [];
  const host = createTerminalHost({ folder, library: loadPty().library, report });
  const screens = createKeptScreens();
  const sockets: Socket[] = [];
  const enter = (socket: Socket): void => {
    sockets.push(socket);
    void new HostSession(host, screens, socket);
  };
  const door = createHostDoor({ token: TOKEN, enter });
  const server = createServer((socket) => door.knock(socket));
  const path = join(folder, "host.sock");
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(async () => {
    await host.closeAll("error");
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { path, sockets };
}

/** A client that says things and reads nothing until it is told to. */
async function connectDeaf(path: string) {
  const socket = connect(path);
  await new Promise((resolve) => socket.once("connect", resolve));
  onTestFinished(() => void socket.destroy());
  socket.write(`${JSON.stringify({ id: 0, cmd: "hello", token: TOKEN })}\n`);
  return {
    say: (frame: Readonly<Record<string, unknown>>): void => void socket.write(`${JSON.stringify(frame)}\n`),
    /** Reads until the frames so far are all that were wanted. */
    read: (isAll: (frames: readonly Frame[]) => boolean): Promise<Frame[]> =>
      new Promise((resolve) => {
        const frames: Frame[] = [];
        onLines(socket, (line) => {
          frames.push(JSON.parse(line) as Frame);
          if (isAll(frames)) resolve(frames);
        });
      }),
  };
}

const loud = (bytes: number): string[] => ["/bin/sh", "-c", `head -c ${bytes} /dev/zero | tr '\\0' x; exec cat`];
const MEGABYTE = 1024 * 1024;

test("what a client does not read waits in the log, and nobody else waits for it", async () => {
  const { path, sockets } = await startHost();
  const other = await connectTestClient({ socket: path, token: TOKEN });
  const deaf = await connectDeaf(path);
  await open(other, "1", { argv: loud(6 * MEGABYTE) });
  deaf.say({ id: 1, cmd: "attach", terminalId: "1", from: 0 });
  await other.ask("attach", { terminalId: "1", from: 0 });
  let most = 0;
  await until("all of the output", () => {
    most = Math.max(most, ...sockets.map(({ writableLength }) => writableLength));
    const last = other.pushes.at(-1);
    return last?.push === "output" && last.offset + lengthOf(last.data) === 6 * MEGABYTE;
  });
  expect(most).toBeLessThan(LIMITS.socketBacklogBytes + 2 * 64 * 1024);
  const isEnd = ({ push, offset = 0, data }: Frame): boolean =>
    push === "output" && offset + lengthOf(data) === 6 * MEGABYTE;
  const frames = await deaf.read((all) => all.some(isEnd));
  let at = 0;
  for (const { offset, data } of frames.filter(({ push }) => push === "output")) {
    expect(offset).toBe(at);
    at += lengthOf(data);
  }
});

const lengthOf = (data: unknown): number => (typeof data === "string" ? Buffer.from(data, "base64").length : 0);

test("answers that a client does not read are not made before it does", async () => {
  const { path, sockets } = await startHost();
  const other = await connectTestClient({ socket: path, token: TOKEN });
  await open(other, "1", { argv: loud(MEGABYTE) });
  await other.ask("wait", { terminalId: "1", from: MEGABYTE - 1 });
  const deaf = await connectDeaf(path);
  const asked = Array.from({ length: 60 }, (_, index) => index + 1);
  for (const id of asked) deaf.say({ id, cmd: "read", terminalId: "1", offset: 0, limit: LIMITS.terminalReadBytes });
  deaf.say({ id: 1000, cmd: "wait", terminalId: "1", from: MEGABYTE });
  for (let round = 0; round < 50; round += 1) await other.ask("offset", { terminalId: "1" });
  const answerBytes = (LIMITS.terminalReadBytes * 4) / 3 + 1000;
  for (const { writableLength } of sockets) {
    expect(writableLength).toBeLessThan(LIMITS.socketBacklogBytes + answerBytes);
  }
  const [, ...frames] = await deaf.read((all) => all.length === asked.length + 1);
  expect(frames.map(({ rid }) => rid)).toEqual(asked);
  expect(new Set(frames.map(({ data }) => lengthOf(data)))).toEqual(new Set([LIMITS.terminalReadBytes]));
});
