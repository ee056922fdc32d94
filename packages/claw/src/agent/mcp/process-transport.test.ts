import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { ProcessTransport } from "./process-transport.ts";

test("a message to a server that reads no more is refused with the end of the server, once it has ended", async () => {
  const script = "exec 0<&-; sleep 0.3; echo 'cannot find the database' >&2; exit 3";
  const server = { name: "db", argv: ["sh", "-c", script], env: {} } as unknown as ConstructorParameters<
    typeof ProcessTransport
  >[0];
  const transport = new ProcessTransport(server, { cwd: temporaryFolder(onTestFinished), env: process.env });
  onTestFinished(() => transport.close());
  await transport.start();
  const sendOn = async (): Promise<never> => {
    for (;;) await transport.send({ jsonrpc: "2.0", method: "ping" });
  };
  await expect(sendOn()).rejects.toThrow("it ended with exit 3: cannot find the database");
});
