import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { createSignedHello, openSignedHello } from "./signed-hello.ts";

const clock = { now: 10_000_000 };

function signed(over: Readonly<Record<string, unknown>> = {}, secret = "s3cret") {
  const fields = { peerName: "w", role: "worker", nonce: "n1", timestamp: clock.now, ...over };
  const text = `${fields.peerName}:${fields.role}:${fields.nonce}:${fields.timestamp}`;
  return { cmd: "hello", token: createHmac("sha256", secret).update(text).digest("hex"), ...fields };
}

const open = (secret: string | undefined = "s3cret") =>
  createSignedHello(
    () => secret,
    () => clock.now,
  );

test("a signed hello is good once, within five minutes", () => {
  const hello = open();
  expect(hello.check(signed())).toBe("signed");
  expect(hello.check(signed())).toBe("invalid");
  expect(hello.check(signed({ nonce: "n2", timestamp: clock.now - 300_000 }))).toBe("signed");
  expect(hello.check(signed({ nonce: "n3", timestamp: clock.now - 300_001 }))).toBe("invalid");
  expect(hello.check(signed({ nonce: "n4", timestamp: clock.now + 1 }))).toBe("invalid");
});

test("another role, name or secret than the signed one is refused", () => {
  const hello = open();
  expect(hello.check({ ...signed(), role: "orchestrator" })).toBe("invalid");
  expect(hello.check({ ...signed(), peerName: "other" })).toBe("invalid");
  expect(hello.check(signed({}, "guess"))).toBe("invalid");
  expect(
    createSignedHello(
      () => undefined,
      () => clock.now,
    ).check(signed()),
  ).toBe("invalid");
});

test.each(["token", "nonce", "timestamp"])("without %s nothing was signed", (field) => {
  expect(open().check({ ...signed(), [field]: undefined })).toBe("missing");
});

test("junk in the fields is refused, not thrown at", () => {
  const hello = open();
  for (const junk of [1, null, {}, [], "", "x"]) {
    expect(hello.check({ ...signed(), token: junk })).toBe("invalid");
    expect(hello.check({ ...signed(), timestamp: junk === null ? {} : junk })).toBe("invalid");
  }
});

test("the secret of a file is the one that stands in it now", () => {
  const path = join(temporaryFolder(onTestFinished), "auth.token");
  const hello = openSignedHello(path, () => clock.now);
  expect(hello.check(signed())).toBe("invalid");
  writeFileSync(path, "s3cret\n");
  expect(hello.check(signed())).toBe("signed");
  writeFileSync(path, "\n");
  expect(hello.check(signed({ nonce: "n2" }))).toBe("invalid");
});
