import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { makeSelfSigned } from "../../bus/testing/self-signed.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { TlsTexts } from "./tls-files.ts";
import { followTlsFiles, readTlsFiles } from "./tls-files.ts";

function put(texts: Partial<TlsTexts> = {}) {
  const folder = temporaryFolder(onTestFinished);
  const paths = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const pair = { ...makeSelfSigned(), ...texts };
  writeFileSync(paths.cert, pair.cert);
  writeFileSync(paths.key, pair.key);
  return { paths, pair };
}

const INVALID = expect.objectContaining({ code: "INVALID_FLAG_VALUE", target: "--tls-cert" });

describe("a certificate and its key", () => {
  test("that belong together are read", () => {
    const { paths, pair } = put();
    expect(readTlsFiles(paths)).toEqual(pair);
  });

  test.each<[string, Partial<TlsTexts>]>([
    ["no certificate", { cert: "nonsense" }],
    ["no key", { key: "nonsense" }],
    ["nothing", { cert: "", key: "" }],
    ["the key of another", { key: makeSelfSigned().key }],
  ])("with %s are refused by name", (_what, texts) => {
    expect(() => readTlsFiles(put(texts).paths)).toThrow(INVALID);
  });

  test("that are not there, or are folders, are file errors", () => {
    const { paths } = put();
    const missing = { ...paths, key: `${paths.key}.missing` };
    expect(() => readTlsFiles(missing)).toThrow(expect.objectContaining({ target: missing.key }));
    expect(() => readTlsFiles({ ...paths, cert: "/" })).toThrow(expect.objectContaining({ target: "/" }));
  });

  test("that are replaced one after the other are told of once both fit, and never before", async () => {
    const { paths, pair } = put();
    const problems: string[] = [];
    const next = makeSelfSigned();
    const changed = new Promise<TlsTexts>((resolve) => {
      const listener = { changed: resolve, failed: (problem: string) => void problems.push(problem) };
      onTestFinished(followTlsFiles(paths, pair, listener));
    });
    writeFileSync(`${paths.key}.new`, next.key);
    renameSync(`${paths.key}.new`, paths.key);
    await until("the problem", () => problems.length > 0);
    writeFileSync(`${paths.cert}.new`, next.cert);
    renameSync(`${paths.cert}.new`, paths.cert);
    expect(await changed).toEqual(next);
  });
});
