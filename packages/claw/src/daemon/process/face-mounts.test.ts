import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { TokenHolder } from "../../bus/index.ts";
import type { DaemonFace, FaceMounts, LoadedFace } from "./face-mounts.ts";
import { createFaceMounts } from "./face-mounts.ts";

const GRANT = {
  id: "t",
  role: "observer",
  peer: undefined,
  expiresAt: 1,
  once: false,
  issued: false,
  browser: false,
} as const;
const HOLDER: TokenHolder = { ...GRANT, bearer: "b" };
const CALL = [{} as IncomingMessage, {} as ServerResponse, HOLDER] as const;

/** Tokens that let one bearer in. */
const TOKENS: Parameters<FaceMounts["admit"]>[0] = {
  read: (bearer) => (bearer === "b" ? { kind: "granted", grant: GRANT } : { kind: "expired" }),
  secret: new Uint8Array(32),
  use: () => true,
};

/** A face that counts what is done with it. */
function countingFace(fails = 0) {
  const done: string[] = [];
  const face: LoadedFace = {
    serve: (_request, _response, { bearer }) => Promise.resolve(void done.push(`serve ${bearer}`)),
    close: () => Promise.resolve(void done.push("close")),
  };
  let left = fails;
  const load = (): Promise<LoadedFace> => {
    done.push("load");
    left -= 1;
    return left >= 0 ? Promise.reject(new Error("not there")) : Promise.resolve(face);
  };
  return { done, given: { paths: ["/x", "/x/y"], load } satisfies DaemonFace };
}

test("a face is loaded at the first request, once for all of its addresses", async () => {
  const { done, given } = countingFace();
  const { mounts, admit } = createFaceMounts([given]);
  admit(TOKENS);
  expect(done).toEqual([]);
  await Promise.all(mounts.map((mount) => mount.serve(...CALL)));
  expect([mounts.map(({ path }) => path), done]).toEqual([
    ["/x", "/x/y"],
    ["load", "serve b", "serve b"],
  ]);
});

test("a face that could not be loaded is loaded again by the next request", async () => {
  const { done, given } = countingFace(1);
  const { mounts, admit, close } = createFaceMounts([given]);
  admit(TOKENS);
  await expect(mounts[0]?.serve(...CALL)).rejects.toThrow("not there");
  await mounts[0]?.serve(...CALL);
  await close();
  expect(done).toEqual(["load", "load", "serve b", "close"]);
});

test("after the end no face is loaded, and a face that was never asked for is not loaded to end it", async () => {
  const { done, given } = countingFace();
  const { mounts, admit, close } = createFaceMounts([given]);
  admit(TOKENS);
  await close();
  await close();
  await expect(mounts[0]?.serve(...CALL)).rejects.toThrow("the daemon stops");
  expect(done).toEqual([]);
});

test("tokens are read by the daemon's store, and no token is none", () => {
  const { mounts, admit } = createFaceMounts([countingFace().given]);
  expect(mounts[0]?.readToken("b")).toEqual({ kind: "invalid" });
  admit(TOKENS);
  expect(["b", "c", undefined].map((bearer) => mounts[0]?.readToken(bearer).kind)).toEqual([
    "granted",
    "expired",
    "missing",
  ]);
});
