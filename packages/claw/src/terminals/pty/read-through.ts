import type { ConnectOpts, SocketConstructorOpts } from "node:net";

/** The first releases of Node 22 lack the function. */
const { getBuiltinModule } = process as Partial<Pick<NodeJS.Process, "getBuiltinModule">>;

/** The module itself. An import of it is a view in the built program, and a property of a view cannot be replaced. */
const tty = getBuiltinModule?.("node:tty");

const READ_BYTES = 64 * 1024;

/** All terminals read into this buffer. The bytes of a read are copied before the next read begins. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Calls `open`, and gives the bytes that the terminal opened by it reads to `output`. Without this, each read allocates
 * 64 KB and passes a stream and two event emitters, which costs more than all other work on a terminal's output
 * (benchmark `terminals`, CPU per MB). `open` must create its reader with `tty.ReadStream`, and before it returns; a
 * reader that it creates in another way emits `data` as before.
 */
export function readThrough<Opened>(output: (bytes: Buffer) => void, open: () => Opened): Opened {
  if (tty === undefined) return open();
  const { ReadStream } = tty;
  const callback = (length: number): boolean => {
    output(Buffer.from(shared.subarray(0, length)));
    return true;
  };
  const options: SocketConstructorOpts & Pick<ConnectOpts, "onread"> = { onread: { buffer: shared, callback } };
  const replaced = tty as { ReadStream: unknown };
  replaced.ReadStream = function createReader(fd: number) {
    return new ReadStream(fd, options);
  };
  try {
    return open();
  } finally {
    replaced.ReadStream = ReadStream;
  }
}
