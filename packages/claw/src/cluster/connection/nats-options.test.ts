import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createUser } from "@nats-io/nkeys";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { natsOptions, readNatsUrl } from "./nats-options.ts";

test.each([
  ["nats://127.0.0.1:4222", ["127.0.0.1:4222"], false],
  ["nats://a,b:4223,[::1]:4224", ["a", "b:4223", "[::1]:4224"], false],
  ["tls://nats.example:4222/", ["nats.example:4222"], true],
])("%s names its hosts", (url, servers, tls) => {
  expect(readNatsUrl(url)).toEqual({ servers, tls });
});

test.each(["", "localhost:4222", "http://a:4222", "nats://", "nats://a,,b", "nats://a:b", "nats://a b"])(
  "%j is no address",
  (url) => {
    expect(() => readNatsUrl(url)).toThrow(expect.objectContaining({ code: "INVALID_FLAG_VALUE" }));
  },
);

test("an address with a password is refused, and the refusal does not show the password", () => {
  let shown = "";
  try {
    readNatsUrl("nats://ann:hunter2@a:4222");
  } catch (error) {
    shown = `${String(error)}${JSON.stringify(error)}`;
  }
  expect(shown).toContain("--bus");
  expect(shown).not.toContain("hunter2");
});

test("a file with an NKEY seed or with credentials proves the identity; any other file is refused", () => {
  const folder = temporaryFolder(onTestFinished);
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const url = "nats://127.0.0.1:4222";
  const seed = new TextDecoder().decode(createUser().getSeed());
  const seedFile = write("ann.nk", `# ann\n${seed}\n`);
  expect(natsOptions({ url, credentials: seedFile }).authenticator).toBeTypeOf("function");
  const other = write("empty.nk", "nothing\n");
  expect(() => natsOptions({ url, credentials: other })).toThrow(expect.objectContaining({ code: "NATS_REFUSED" }));
  const missing = join(folder, "missing.nk");
  expect(() => natsOptions({ url, credentials: missing })).toThrow(
    expect.objectContaining({ code: "FILE_ACCESS_DENIED" }),
  );
});

test("TLS is spoken when the address or a certificate asks for it", () => {
  expect(natsOptions({ url: "nats://a" }).tls).toBeUndefined();
  expect(natsOptions({ url: "tls://a" }).tls).toEqual({});
  expect(natsOptions({ url: "nats://a", ca: "/ca.pem" }).tls).toEqual({ caFile: "/ca.pem" });
  expect(natsOptions({ url: "tls://a", ca: "/ca", cert: "/c", key: "/k" }).tls).toEqual({
    caFile: "/ca",
    certFile: "/c",
    keyFile: "/k",
  });
});
