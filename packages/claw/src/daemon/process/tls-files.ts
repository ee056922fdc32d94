import { readFileSync, watch } from "node:fs";
import { dirname } from "node:path";
import { createSecureContext } from "node:tls";
import { ClawError } from "claw-contract";
import { errnoOf, withFileErrors } from "../../files/index.ts";

/** Where a certificate and its key are. */
export interface TlsPaths {
  readonly cert: string;
  readonly key: string;
}

/** PEM texts. */
export interface TlsTexts {
  readonly cert: string;
  readonly key: string;
}

const readText = (path: string): string => withFileErrors("read", path, () => readFileSync(path, "utf8"));

/** A certificate and a key that belong together. Throws file errors, or INVALID_FLAG_VALUE when they do not. */
export function readTlsFiles({ cert, key }: TlsPaths): TlsTexts {
  const texts = { cert: readText(cert), key: readText(key) };
  try {
    // An empty text would count as none at all, and the server would have no certificate.
    if (texts.cert === "" || texts.key === "") throw new Error("a file is empty");
    createSecureContext(texts);
  } catch (error) {
    throw new ClawError("INVALID_FLAG_VALUE", `${cert} and ${key} cannot be used: ${(error as Error).message}`, {
      operation: "listen",
      target: "--tls-cert",
      hint: "Give --tls-cert a certificate and --tls-key the key that belongs to it, both as PEM files.",
      cause: error,
    });
  }
  return texts;
}

/** Delay before changed files are read: certificate and key are often replaced one after the other. */
const SETTLE_MS = 200;

export interface TlsListener {
  /** The files hold a new certificate or key. */
  changed(texts: TlsTexts): void;
  failed(problem: string): void;
}

/** Tells the listener of renewed certificates. Returns a function that stops the watch. */
export function followTlsFiles(paths: TlsPaths, before: TlsTexts, listener: TlsListener): () => void {
  let current = before;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    try {
      const texts = readTlsFiles(paths);
      if (texts.cert === current.cert && texts.key === current.key) return;
      current = texts;
      listener.changed(texts);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      listener.failed((error as Error).message);
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS).unref();
  };
  const folders = new Set([dirname(paths.cert), dirname(paths.key)]);
  const watchers = [...folders].map((folder) =>
    watch(folder, { persistent: false }, soon).on("error", (error) => listener.failed(error.message)),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
