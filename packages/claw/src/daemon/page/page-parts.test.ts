import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { makeSelfSigned } from "../../bus/testing/self-signed.ts";
import { browserName } from "./browser-name.ts";
import { certificateNames, hostsOf } from "./page-names.ts";
import { isOtherUser, userInTable } from "./peer-user.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0";

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, "Chrome on Linux, 10.0.0.2"],
  [
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/156.0 Safari/537.36`,
    "Chrome on Linux, 10.0.0.2",
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, "Chrome on Android, 10.0.0.2"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/156.0`, "Edge on Windows, 10.0.0.2"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone, 10.0.0.2"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Firefox on macOS, 10.0.0.2",
  ],
  ["\u001B]0;evil\u0007<script>", "a browser, 10.0.0.2"],
  [undefined, "a browser, 10.0.0.2"],
])("%j is named %s", (userAgent, name) => {
  expect(browserName(userAgent, "::ffff:10.0.0.2")).toBe(name);
});

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2 1
   2: 0200000A:C351 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002        0 3 1
   3: 00000000000000000000000001000000:C352 00000000000000000000000001000000:1F90 01 00000000:00000000 00:00000000 00000000  1003        0 4 1
nonsense
`;

test.each([
  [{ from: 50_000, to: 8080 }, 1001],
  [{ from: 50_001, to: 8080 }, undefined],
  [{ from: 50_002, to: 8080 }, 1003],
  [{ from: 8080, to: 50_000 }, 1000],
  [{ from: 1, to: 2 }, undefined],
])("the user at the other end of %j is %s", (ports, user) => {
  expect(userInTable(TABLE, ports)).toBe(user);
});

test("this user's own connection is not another user's", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  const [socket] = (await once(server, "connection")) as [Parameters<typeof isOtherUser>[0]];
  expect([isOtherUser(socket), isOtherUser({ remotePort: undefined })]).toEqual([false, false]);
});

test("where the system has no such tables, users are not told apart", () => {
  const ends = { remotePort: 50_000, localPort: 8080 };
  expect([isOtherUser(ends, () => TABLE), isOtherUser(ends, () => "")]).toEqual([true, false]);
});

test("an address that stands for all has every name of the machine, those in the certificate first", () => {
  expect(hostsOf("192.168.1.5", ["box.example"])).toEqual(["box.example", "192.168.1.5"]);
  expect(hostsOf("127.0.0.1", [])).toEqual(["127.0.0.1"]);
  const [first, ...others] = hostsOf("0.0.0.0", ["box.example"]);
  expect(first).toBe("box.example");
  expect(others.filter((host) => host === "0.0.0.0" || host.includes(":"))).toEqual([]);
  expect(hostsOf("0.0.0.0", []).length).toBeGreaterThan(0);
});

test("a certificate without names has none", () => {
  expect(certificateNames(makeSelfSigned().cert)).toEqual([]);
});
