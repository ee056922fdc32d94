import type { Accept } from "../../bus/index.ts";

/** Wraps `accept`: calls `touch` before a connection, a line or a close is handled. */
export function touching(accept: Accept, touch: () => void): Accept {
  return (connection, entrance) => {
    touch();
    const handler = accept(connection, entrance);
    return {
      ...handler,
      line: (text) => {
        touch();
        handler.line(text);
      },
      closed: (by) => {
        touch();
        handler.closed(by);
      },
    };
  };
}
