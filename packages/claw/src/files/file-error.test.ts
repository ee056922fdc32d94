import { ClawError } from "claw-contract";
import { describe, expect, test } from "vitest";
import { errnoOf, fileError, withFileErrors } from "./file-error.ts";

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it broke, open '/x'`), { code });

describe("a failed system call", () => {
  test.each([
    ["ENOSPC", "DISK_FULL", true],
    ["EDQUOT", "DISK_FULL", true],
    ["EACCES", "FILE_ACCESS_DENIED", false],
    ["EPERM", "FILE_ACCESS_DENIED", false],
    ["EROFS", "READ_ONLY_FILESYSTEM", false],
    ["EIO", "FILESYSTEM_ERROR", false],
    ["ENAMETOOLONG", "FILESYSTEM_ERROR", false],
    ["E2BIG", "FILESYSTEM_ERROR", false],
    ["EAGAIN", "FILESYSTEM_ERROR", true],
    ["EBUSY", "FILESYSTEM_ERROR", true],
    ["EINTR", "FILESYSTEM_ERROR", true],
    ["EMFILE", "FILESYSTEM_ERROR", true],
    ["ENFILE", "FILESYSTEM_ERROR", true],
    ["ETXTBSY", "FILESYSTEM_ERROR", true],
  ])("%s is %s, retryable: %s", (errno, code, retryable) => {
    const cause = systemError(errno);
    const error = fileError(cause, "open", "/x") as ClawError;
    expect({
      code: error.code,
      message: error.message,
      operation: error.operation,
      target: error.target,
      retryable: error.retryable,
      details: error.options.details,
      cause: error.cause,
    }).toEqual({
      code,
      message: `cannot open /x: ${errno}: it broke`,
      operation: "open",
      target: "/x",
      retryable,
      details: { errno },
      cause,
    });
  });
});

test("a folder that is missing when a file is written may be there the next time", () => {
  const tried = ["write", "open"].map((operation) => fileError(systemError("ENOENT"), operation, "/x") as ClawError);
  expect(tried.map(({ operation, retryable }) => [operation, retryable])).toEqual([
    ["write", true],
    ["open", false],
  ]);
});

describe("anything else", () => {
  const others = [
    new Error("plain"),
    new ClawError("DISK_FULL", "full", { operation: "o", target: "t" }),
    Object.assign(new Error("bad argument"), { code: "ERR_INVALID_ARG_TYPE" }),
    Object.assign(new Error("numeric"), { code: 5 }),
    "text",
    undefined,
    null,
    { code: "EIO" },
  ];

  test("is returned as it is", () => {
    expect(others.map((other) => fileError(other, "open", "/x") === other)).toEqual(others.map(() => true));
  });

  test("has an errno only when it is an error with a textual code", () => {
    expect([systemError("EIO"), ...others].map(errnoOf)).toEqual([
      "EIO",
      undefined,
      "DISK_FULL",
      "ERR_INVALID_ARG_TYPE",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test("file calls return their value or throw a row of the catalogue", () => {
  expect(withFileErrors("open", "/x", () => 7)).toBe(7);
  expect(() =>
    withFileErrors("open", "/x", () => {
      throw systemError("EROFS");
    }),
  ).toThrow(expect.objectContaining({ code: "READ_ONLY_FILESYSTEM" }));
});
