import { ClawError } from "claw-contract";
import { credsAuthenticator, nkeyAuthenticator } from "@nats-io/transport-node";
import type { NodeConnectionOptions } from "@nats-io/transport-node";
import { readSmallFile } from "../../files/index.ts";

/** How a daemon reaches NATS. Paths are absolute. */
export interface NatsAddress {
  /** `nats://host:port,host:port`, or `tls://…`. */
  readonly url: string;
  /** A credentials file (`.creds`), or a file with an NKEY seed. */
  readonly credentials?: string | undefined;
  /** The certificate authority of the servers, a PEM file. Without it, `tls://` trusts the system's. */
  readonly ca?: string | undefined;
  /** The client's own certificate and key, PEM files. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const CREDENTIAL_BYTES = 64 * 1024;
const SCHEME = /^(nats|tls):\/\/(.+)$/;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

const badAddress = (url: string, why: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", `--bus ${why}`, {
    operation: "read_address",
    target: url,
    hint: "Write nats://host:port, further hosts after a comma; tls:// for TLS. A name and a password do not belong into the address.",
  });

/** An address without the name and the password before its host. */
const withoutSecret = (text: string): string => text.slice(text.lastIndexOf("@") + 1);

/** The hosts of an address, and whether they speak TLS. Throws INVALID_FLAG_VALUE. */
export function readNatsUrl(url: string): { readonly servers: readonly string[]; readonly tls: boolean } {
  const [, scheme, hosts] = SCHEME.exec(url) ?? [];
  if (hosts === undefined) throw badAddress(withoutSecret(url), "must begin with nats:// or tls://");
  const servers = hosts.replace(/\/$/, "").split(",");
  const wrong = servers.find((host) => !HOST.test(host));
  if (wrong !== undefined) throw badAddress(withoutSecret(wrong), "names a host that cannot be read");
  return { servers, tls: scheme === "tls" };
}

function readText(path: string): string {
  const file = readSmallFile(path, CREDENTIAL_BYTES);
  if (file.kind === "text") return file.text;
  throw new ClawError("FILE_ACCESS_DENIED", `${path} holds no credentials for NATS that can be read`, {
    operation: "read_credentials",
    target: path,
    hint: "Name a credentials file or a file with an NKEY seed, made by claw cluster-credentials or nsc.",
  });
}

const isSeed = (line: string): boolean => /^SU[A-Z2-7]{56}$/.test(line);

/** The authenticator for a credentials file, or for a file whose line is the seed of an NKEY. */
function authenticatorOf(path: string): NonNullable<NodeConnectionOptions["authenticator"]> {
  const text = readText(path);
  if (text.includes("BEGIN NATS USER JWT")) return credsAuthenticator(new TextEncoder().encode(text));
  const seed = text
    .split("\n")
    .map((line) => line.trim())
    .find(isSeed);
  if (seed === undefined) {
    throw new ClawError("NATS_REFUSED", `${path} holds no NKEY seed and no credentials`, {
      operation: "read_credentials",
      target: path,
    });
  }
  return nkeyAuthenticator(new TextEncoder().encode(seed));
}

function tlsOf({ ca, cert, key }: NatsAddress, wanted: boolean): NodeConnectionOptions["tls"] | undefined {
  if (!wanted && ca === undefined && cert === undefined) return undefined;
  return {
    ...(ca === undefined ? {} : { caFile: ca }),
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
  };
}

/** Options for the client of NATS. Throws INVALID_FLAG_VALUE, FILE_ACCESS_DENIED, NATS_REFUSED. */
export function natsOptions(address: NatsAddress): NodeConnectionOptions {
  const { servers, tls: isTls } = readNatsUrl(address.url);
  const tls = tlsOf(address, isTls);
  return {
    servers: [...servers],
    ...(address.credentials === undefined ? {} : { authenticator: authenticatorOf(address.credentials) }),
    ...(tls === undefined ? {} : { tls }),
  };
}
