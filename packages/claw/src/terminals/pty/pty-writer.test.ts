import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createPtyWriter } from "./pty-writer.ts";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** A pipe that takes 64 KB and then nothing until the test reads, as a terminal does whose program does not read. */
function openPipe() {
  const path = join(temporaryFolder(onTestFinished), "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  const fd = openSync(path, O_WRONLY | O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const read = (): number => readSync(reader, Buffer.alloc(1024 * 1024));
  return { writer: createPtyWriter(fd), read, closeReader: () => closeSync(reader) };
}

const PIPE_BYTES = 64 * 1024;

test("what fits is taken at once", async () => {
  const { writer, read, closeReader } = openPipe();
  onTestFinished(closeReader);
  const written = writer.write(Buffer.from("abc"));
  expect(writer.waiting()).toBe(0);
  await written;
  expect(read()).toBe(3);
});

test("what does not fit waits for the program to read, in the order of the calls", async () => {
  const { writer, read, closeReader } = openPipe();
  onTestFinished(closeReader);
  const order: string[] = [];
  const first = writer.write(Buffer.alloc(2 * PIPE_BYTES)).then(() => order.push("first"));
  const second = writer.write(Buffer.alloc(10)).then(() => order.push("second"));
  expect(writer.waiting()).toBe(PIPE_BYTES + 10);
  let taken = read();
  expect(taken).toBe(PIPE_BYTES);
  await first;
  taken += read();
  await second;
  if (taken < 2 * PIPE_BYTES + 10) taken += read();
  expect([taken, order, writer.waiting()]).toEqual([2 * PIPE_BYTES + 10, ["first", "second"], 0]);
});

test("a full terminal is tried again after pauses that double up to the most", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { writer, read, closeReader } = openPipe();
  onTestFinished(closeReader);
  void writer.write(Buffer.alloc(PIPE_BYTES + 1));
  for (const pauseMs of [2, 4, 8, 16, 32, 50]) vi.advanceTimersByTime(pauseMs);
  expect([writer.waiting(), vi.getTimerCount()]).toEqual([1, 1]);
  read();
  vi.advanceTimersByTime(49);
  expect(writer.waiting()).toBe(1);
  vi.advanceTimersByTime(1);
  expect([writer.waiting(), vi.getTimerCount()]).toEqual([0, 0]);
  void writer.write(Buffer.alloc(PIPE_BYTES));
  expect(writer.waiting()).toBeGreaterThan(0);
  read();
  // What was taken meanwhile makes the pause a short one again.
  vi.advanceTimersByTime(2);
  expect(writer.waiting()).toBe(0);
});

test("a terminal that is closed gives up what waits, and takes no more", async () => {
  const { writer, closeReader } = openPipe();
  onTestFinished(closeReader);
  const whole = writer.write(Buffer.alloc(PIPE_BYTES));
  const late = writer.write(Buffer.alloc(1));
  writer.close();
  await whole;
  await expect(late).rejects.toThrow("the terminal is closed");
  await expect(writer.write(Buffer.from("x"))).rejects.toThrow("the terminal is closed");
  expect(writer.waiting()).toBe(0);
});

test("a write that the system refuses for good is told with its reason", async () => {
  const { writer, closeReader } = openPipe();
  closeReader();
  await expect(writer.write(Buffer.from("x"))).rejects.toThrow("EPIPE");
});
