import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChildOptions } from "./child.ts";
import { runClaw } from "./child.ts";

const ACCOUNT = "/proc/self/io";

/** Loaded into the program before its own code: on exit it keeps what the kernel counted for the process. */
const PRELOAD = `
const { readFileSync, writeFileSync } = require("node:fs");
process.on("exit", () => writeFileSync(process.env.BENCH_IO_FILE, readFileSync("${ACCOUNT}")));
`;

/** Whether this system counts what a process reads. */
export const countsBytes = (): boolean => existsSync(ACCOUNT);

/** How many bytes a call of the program reads, from start to exit. Keeps its two small files in `scratch`. */
export async function bytesRead(args: readonly string[], options: ChildOptions, scratch: string): Promise<number> {
  const preload = join(scratch, "keep-io-account.cjs");
  const account = join(scratch, "io-account");
  writeFileSync(preload, PRELOAD);
  await runClaw(args, { ...options, nodeOptions: ["--require", preload], env: { BENCH_IO_FILE: account } });
  const counted = /^rchar: (\d+)$/m.exec(readFileSync(account, "utf8"))?.[1];
  if (counted === undefined) throw new Error(`${ACCOUNT} does not say how much was read`);
  return Number(counted);
}
