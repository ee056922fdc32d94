import { describe } from "vitest";
import { transportConformance } from "./transport.conformance.ts";
import { createMemoryTransport } from "./memory.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a transport in memory", () => {
  transportConformance((options) => {
    const transport = createMemoryTransport(options);
    return {
      transport,
      connect: () => {
        const client = transport.connect();
        return Promise.resolve({
          frames: client.frames,
          send: (text) => client.write(bytesOf(`${text}\n`)),
          sendPieces: (pieces) => {
            for (const piece of pieces) client.write(piece);
            client.write(bytesOf("\n"));
          },
          sendHalf: (text) => client.write(bytesOf(text)),
          sendBinary: (bytes) => {
            client.write(bytes);
            client.write(bytesOf("\n"));
          },
          pause: (on) => client.congest(on),
          close: () => client.close(),
          closed: () => client.ended(),
        });
      },
    };
  });
});
