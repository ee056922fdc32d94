import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeSelfSigned } from "../../bus/testing/self-signed.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findNatsServers } from "../../../../../scripts/nats/give-nats.mjs";
import { startNatsServer } from "../testing/nats-server.ts";
import { openConnection } from "./open-connection.ts";

test.each(findNatsServers().map(({ version, path }) => [version, path] as const))(
  "nats-server %s is reached over TLS when its certificate is trusted, and refused otherwise",
  async (_, binary) => {
    const folder = temporaryFolder(onTestFinished);
    const { cert, key } = makeSelfSigned();
    const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
    const config = `tls { cert_file: ${JSON.stringify(certFile)}, key_file: ${JSON.stringify(keyFile)} }`;
    const server = await startNatsServer({ folder: join(folder, "nats"), binary, config });
    onTestFinished(() => server.kill());
    const url = `tls://localhost:${server.port}`;
    const trusted = await openConnection({ url, ca: certFile, name: "a" });
    onTestFinished(() => trusted.close());
    expect(trusted.isConnected()).toBe(true);
    expect(trusted.nats.info?.tls_required).toBe(true);
    await expect(openConnection({ url, name: "b" })).rejects.toMatchObject({ code: "NATS_UNREACHABLE" });
  },
);
