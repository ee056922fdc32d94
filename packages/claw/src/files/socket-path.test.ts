import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { socketPathBytes } from "./socket-path.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

test("each platform has its own longest path of a socket", () => {
  expect([socketPathBytes("linux"), socketPathBytes("darwin")]).toEqual([107, 103]);
});

test("a socket with a path of that length can be made here", async () => {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "s".repeat(socketPathBytes() - folder.length - 1));
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(path, resolve));
  expect([Buffer.byteLength(path), server.address()]).toEqual([socketPathBytes(), path]);
});
