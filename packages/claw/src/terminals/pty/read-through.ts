import type { ConnectOpts, SocketConstructorOpts } from "node:net";

/** The first releases of Node 22 lack the function. */
const { getBuiltinModule } = process as Partial<Pick<NodeJS.Process, "getBuiltinModule">>;

/** The module itself. An import of it is a view in the built program, and a property of a view cannot be replaced. */
const tty = getBuiltinModule?.("node:tty");

const READ_BYTES = 64 * 1024;

/** All terminals read into this buffer. The bytes of a read are copied before the next read begins. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Copies the first bytes of the shared buffer. Small copies stand one after another in a block: Node's own blocks have
 * room for four reads of usual size, and making them takes longer than copying (benchmark `terminals`, CPU per MB).
 */
function createCopier(): (length: number) => Buffer {
  let block = Buffer.alloc(0);
  let used = 0;
  return (length) => {
    if (length > block.length - used) {
      block = Buffer.allocUnsafeSlow(READ_BYTES);
      used = 0;
    }
    const at = used;
    used += shared.copy(block, at, 0, length);
    return block.subarray(at, used);
  };
}

const copyOf = createCopier();

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
    output(copyOf(length));
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
