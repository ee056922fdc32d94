import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";

const SIZE = 3_000_000;

/** Writes a large text to stdout, then says on stderr whether somebody heard it. */
const PROGRAM = `
  import { writeOutput } from "./write-output.ts";
  const heard = writeOutput(1, "é".repeat(${SIZE / 2}));
  writeOutput(2, String(heard) + " " + String(writeOutput(1, "")));
`;

function start() {
  const outfile = join(temporaryFolder(onTestFinished), "program.mjs");
  const resolveDir = fileURLToPath(new URL(".", import.meta.url));
  const stdin = { contents: PROGRAM, resolveDir, loader: "ts" as const };
  buildSync({ stdin, outfile, bundle: true, platform: "node", format: "esm" });
  const child = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { child, said: () => said };
}

test("a slow reader gets every byte before the program ends", async () => {
  const { child, said } = start();
  const ended = once(child, "close");
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    child.stdout.pause();
    setImmediate(() => child.stdout.resume());
  });
  expect([await ended, size, said()]).toEqual([[0, null], SIZE, "true true"]);
});

test("a reader that hangs up is no error", async () => {
  const { child, said } = start();
  child.stdout.once("data", () => child.stdout.destroy());
  expect([await once(child, "close"), said()]).toEqual([[0, null], "false true"]);
});
