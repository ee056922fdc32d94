import { existsSync, statSync } from "node:fs";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import type { VersionRange } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findHost } from "../storage/host-record.ts";
import { createHostDoor, HELLO_BYTES, judgeHello, STRANGERS } from "./host-door.ts";
import { connectHost } from "../client/host-client.ts";
import { hostTokenPath } from "../storage/host-token.ts";
import { request, startTestHost } from "../testing/start-test-host.ts";

const TOKEN = "0123456789abcdef";

/** A connection, all that it has read, and its end. */
async function knock(path: string) {
  const socket = connect(path);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  socket.on("error", () => socket.destroy());
  const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(text)));
  await new Promise((resolve) => socket.once("connect", resolve));
  onTestFinished(() => void socket.destroy());
  const read = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (text.includes(part) && resolve());
      look();
      socket.on("data", look);
    });
  return { socket, closed, read };
}

/** A door on a socket, and what those say who came in. */
async function openDoor(patienceMs: number) {
  const path = join(temporaryFolder(onTestFinished), "door.sock");
  const inside: { socket: Socket; text: string }[] = [];
  const enter = (socket: Socket): void => {
    const one = { socket, text: "" };
    inside.push(one);
    socket.on("data", (chunk: Buffer) => {
      one.text += chunk.toString();
      socket.write("taken\n");
    });
    socket.on("error", () => socket.destroy());
  };
  const door = createHostDoor({ token: TOKEN, enter, patienceMs });
  const server = createServer((socket) => door.knock(socket));
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => {
    door.close();
    for (const { socket } of inside) socket.destroy();
    server.close();
  });
  return { path, inside, door };
}

const hello = (token: unknown): string => JSON.stringify({ id: 7, cmd: "hello", token });
const NEVER_MS = 600_000;

describe("the first line of a client", () => {
  test("shows the token, or is refused with its own number", () => {
    expect(judgeHello(Buffer.from(hello(TOKEN)), TOKEN)).toEqual({ rid: 7, ok: true, version: 1 });
    for (const token of ["", `${TOKEN}0`, TOKEN.slice(1), null, 3, [TOKEN], undefined]) {
      expect(judgeHello(Buffer.from(hello(token)), TOKEN)).toMatchObject({ rid: 7, ok: false });
    }
    const list = JSON.stringify({ id: 8, cmd: "list", token: TOKEN });
    expect(judgeHello(Buffer.from(list), TOKEN)).toMatchObject({ rid: 8, ok: false });
    expect(judgeHello(Buffer.from("GET / HTTP/1.1"), TOKEN)).toMatchObject({ rid: 0, ok: false });
  });
});

describe("the version that host and client agree on", () => {
  const judge = (versions: unknown, own: VersionRange) =>
    judgeHello(Buffer.from(JSON.stringify({ id: 7, cmd: "hello", token: TOKEN, versions })), TOKEN, own);

  test("is the newest that both speak; a client that names none speaks version 1", () => {
    expect(judge({ oldest: 2, newest: 9 }, { oldest: 1, newest: 3 })).toEqual({ rid: 7, ok: true, version: 3 });
    expect(judge(undefined, { oldest: 1, newest: 3 })).toEqual({ rid: 7, ok: true, version: 1 });
  });

  test.each([
    ["the terminals of an older host", { oldest: 3, newest: 3 }, { oldest: 1, newest: 2 }, /close the terminals/],
    ["the daemon that is older", undefined, { oldest: 2, newest: 2 }, /claw up --replace/],
  ])("where there is none, the refusal says to restart %s", (_what, theirs, own, next) => {
    expect(judge(theirs, own)).toMatchObject({
      ok: false,
      code: "PROTOCOL_MISMATCH",
      message: expect.stringMatching(next),
    });
  });
});

describe("the door of the terminal host", () => {
  test("lets a client in that shows the token, with all it says after it, however that is cut", async () => {
    const { path, inside } = await openDoor(NEVER_MS);
    const one = await knock(path);
    one.socket.write(`${hello(TOKEN)}\nnext\nlast`);
    await one.read("taken");
    const other = await knock(path);
    for (const char of hello(TOKEN)) other.socket.write(char);
    other.socket.write("\n");
    await other.read('{"rid":7,"ok":true,"version":1}\n');
    other.socket.write("later");
    await other.read("taken");
    expect(inside.map(({ text }) => text)).toEqual(["next\nlast", "later"]);
  });

  test("turns away who shows a wrong one, or says too much before it, and nobody has heard of him", async () => {
    const { path, inside } = await openDoor(NEVER_MS);
    const wrong = await knock(path);
    wrong.socket.write(`${hello("wrong")}\n${hello(TOKEN)}\nnext`);
    expect(await wrong.closed).toMatch(/^\{"rid":7,"ok":false[^\n]*\n$/);
    const fits = await knock(path);
    fits.socket.write(`${" ".repeat(HELLO_BYTES - hello(TOKEN).length)}${hello(TOKEN)}\n`);
    await fits.read('"ok":true');
    const long = await knock(path);
    long.socket.write(`${" ".repeat(HELLO_BYTES + 1 - hello(TOKEN).length)}${hello(TOKEN)}\n`);
    expect(await long.closed).toBe("");
    const endless = await knock(path);
    endless.socket.write("x".repeat(HELLO_BYTES + 1));
    expect(await endless.closed).toBe("");
    expect(inside).toHaveLength(1);
  });

  test("closes connections that say nothing, in time, or the oldest of too many", async () => {
    const { path } = await openDoor(1);
    expect(await (await knock(path)).closed).toBe("");
    const patient = await openDoor(NEVER_MS);
    const strangers: Awaited<ReturnType<typeof knock>>[] = [];
    for (let number = 0; number < STRANGERS; number += 1) strangers.push(await knock(patient.path));
    const [first, second] = strangers;
    // One that left, or came in, is none of them any more.
    second?.socket.write(`${hello(TOKEN)}\n`);
    await second?.read('"ok":true');
    const next = await knock(patient.path);
    next.socket.write(`${hello("wrong")}\n`);
    await next.closed;
    expect(first?.socket.destroyed).toBe(false);
    for (let number = 0; number < 2; number += 1) strangers.push(await knock(patient.path));
    expect(await first?.closed).toBe("");
    patient.door.close();
    await strangers.at(-1)?.closed;
    second?.socket.write("still here");
    await second?.read("taken");
  });
});

describe("a terminal host", () => {
  test("opens no terminal for a client without the token, and says nothing to it", async () => {
    const host = await startTestHost();
    const client = await host.connect();
    const create = JSON.stringify({ id: 1, cmd: "create", terminal: request("1", { argv: ["/bin/cat"] }) });
    const stranger = await knock(host.socket);
    stranger.socket.write(`${create}\n${create}\n`);
    expect(await stranger.closed).toMatch(/^\{"rid":1,"ok":false[^\n]*\n$/);
    expect(await client.ask("list", {})).toMatchObject({ terminals: [] });
    expect(existsSync(join(host.folder, "terminals"))).toBe(false);
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    await expect(connectHost({ socket: host.socket, token: "ff" }, listener)).rejects.toMatchObject({
      code: "TERMINAL_HOST_FAILED",
    });
  });

  test("keeps its token in a file of the user alone, and the next host takes the same", async () => {
    const host = await startTestHost();
    await host.connect();
    const before = findHost(host.folder)?.token;
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(hostTokenPath(host.folder)).mode & 0o777).toBe(0o600);
    await host.stop();
    const next = await startTestHost({ folder: host.folder });
    await next.connect();
    expect(findHost(host.folder)?.token).toBe(before);
  });
});
