import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import type { LineFields, LineRequest } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { AnswerOverOptions, SocketAnswerer } from "./answer-over.ts";
import { answerOver } from "./answer-over.ts";
import { askOnce } from "./ask-once.ts";
import { callOver } from "./call-over.ts";

const MAX_LINE_BYTES = 1000;

interface Served {
  readonly socket: Socket;
  readonly answerer: SocketAnswerer;
  readonly closed: Promise<void>;
}

/** A server that answers every connection, and its end of the newest connection. */
async function serve(answer: AnswerOverOptions["answer"]) {
  const path = join(temporaryFolder(onTestFinished), "lines.sock");
  const sockets: Socket[] = [];
  let newest: ((served: Served) => void) | undefined;
  const server = createServer((socket) => {
    sockets.push(socket);
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    const answerer = answerOver(socket, {
      maxLineBytes: MAX_LINE_BYTES,
      maxCalls: 2,
      tooMany: () => new Error("too many"),
      backlogBytes: 1000,
      answer,
      refuse: (error) => ({ message: String(error) }),
    });
    newest?.({ socket, answerer, closed });
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const served = (): Promise<Served> => new Promise((resolve) => (newest = resolve));
  return { path, served };
}

const echo = ({ id: _id, ...fields }: LineRequest): LineFields => ({ said: fields });
const failed = (cmd: string, why: string): Error => new Error(`${cmd} ${why}`);

function call(path: string, more: { push?: (frame: LineFields) => void; closed?: () => void } = {}) {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  return { socket, ...callOver(socket, { maxLineBytes: MAX_LINE_BYTES, maxCalls: 3, failed, ...more }) };
}

describe("two ends of a socket", () => {
  test("ask, answer, refuse and push", async () => {
    const { path, served } = await serve((request) => {
      if (request.cmd === "fail") throw new Error("odd");
      return echo(request);
    });
    const other = served();
    const pushed: LineFields[] = [];
    const caller = call(path, { push: (frame) => pushed.push(frame) });
    (await other).answerer.push({ push: "news" });
    expect(await caller.ask("say", { word: "hi" })).toEqual({ rid: 1, ok: true, said: { cmd: "say", word: "hi" } });
    expect(await caller.ask("fail", {})).toEqual({ rid: 2, ok: false, message: "Error: odd" });
    expect(pushed).toEqual([{ push: "news" }]);
  });

  test("work that is given up is aborted, and so is all work when the caller is gone", async () => {
    const aborted: string[] = [];
    let begun = (): void => undefined;
    const { path, served } = await serve(
      ({ cmd }, signal) =>
        new Promise((resolve) => {
          begun();
          signal.addEventListener("abort", () => {
            aborted.push(cmd);
            resolve({});
          });
        }),
    );
    const other = served();
    const caller = call(path);
    const stop = new AbortController();
    const given = caller.ask("first", {}, stop.signal);
    const both = new Promise<void>((resolve) => {
      let count = 0;
      begun = () => void ((count += 1) === 2 && resolve());
    });
    const lost = caller.ask("second", {}).catch((error: unknown) => error);
    await both;
    stop.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    caller.close();
    expect(await lost).toMatchObject({ message: "second ended" });
    await (
      await other
    ).closed;
    expect(aborted).toEqual(["first", "second"]);
  });

  test.each(["no json", "[1]", '{"cmd":"list"}', "x".repeat(MAX_LINE_BYTES + 1)])(
    "a line that is no request ends the connection: %.20s",
    async (line) => {
      const { path } = await serve(echo);
      let closed = (): void => undefined;
      const over = new Promise<void>((resolve) => (closed = resolve));
      const caller = call(path, { closed: () => closed() });
      caller.socket.write(`${line}\n`);
      await over;
      await expect(caller.ask("say", {})).rejects.toThrow("say ended");
    },
  );
});

describe("a single question", () => {
  test("gets its reply, and closes the connection", async () => {
    const { path, served } = await serve(echo);
    const other = served();
    const reply = await askOnce(connect(path), "say", { word: "hi" }, { maxLineBytes: MAX_LINE_BYTES });
    expect(reply).toMatchObject({ ok: true, said: { cmd: "say", word: "hi" } });
    await (
      await other
    ).closed;
  });

  test("has no reply when the other end hangs up, or when it is given up", async () => {
    const { path, served } = await serve(() => new Promise(() => undefined));
    const other = served();
    const hungUp = askOnce(connect(path), "say", {}, { maxLineBytes: MAX_LINE_BYTES });
    (await other).socket.end();
    expect(await hungUp).toBeUndefined();
    const signal = AbortSignal.abort();
    expect(await askOnce(connect(path), "say", {}, { maxLineBytes: MAX_LINE_BYTES, signal })).toBeUndefined();
  });

  test("fails when no process listens", async () => {
    const path = join(temporaryFolder(onTestFinished), "none.sock");
    await expect(askOnce(connect(path), "say", {}, { maxLineBytes: MAX_LINE_BYTES })).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});
