import { lstatSync, readFileSync } from "node:fs";
import { createUser, fromSeed } from "@nats-io/nkeys";
import { ClawError } from "claw-contract";
import { serverConfig } from "../../../cluster/index.ts";
import { withFileErrors } from "../../../files/index.ts";

/** The key of one machine. */
export interface MachineKey {
  readonly publicKey: string;
  /** The secret part, as text. */
  readonly seed: string;
}

/** The part of the servers' configuration that lets these machines in. */
export const configText = (
  cluster: string,
  users: readonly { readonly machine: string; readonly publicKey: string }[],
): string => serverConfig(cluster, users);

const OPEN_TO_OTHERS = 0o077;

const unfit = (file: string, why: string, hint: string): ClawError =>
  new ClawError("INVALID_OUTPUT_PATH", `${file} ${why}`, { operation: "read_key", target: file, hint });

export function makeKey(): MachineKey {
  const pair = createUser();
  return { publicKey: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString("latin1") };
}

/** The key in a file; undefined when there is no file. Throws INVALID_OUTPUT_PATH when it holds none, or others can read it. */
export function readKey(file: string): MachineKey | undefined {
  const stats = withFileErrors("open", file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw unfit(file, "is not a file", "Name another folder.");
  if ((stats.mode & OPEN_TO_OTHERS) !== 0) {
    throw unfit(
      file,
      "can be read by others",
      "Make it private with chmod 600; if others may know the key, remove it.",
    );
  }
  const seed = withFileErrors("open", file, () => readFileSync(file, "latin1")).trim();
  try {
    return { publicKey: fromSeed(Buffer.from(seed, "latin1")).getPublicKey(), seed };
  } catch (error) {
    const hint = "Remove the file to have a new key made, or name another folder.";
    throw new ClawError("INVALID_OUTPUT_PATH", `${file} holds no key`, {
      operation: "read_key",
      target: file,
      hint,
      cause: error,
    });
  }
}
