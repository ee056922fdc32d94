import { BlockList, isIPv6 } from "node:net";

/** Addresses of this machine, addresses of its network, and reserved ranges that no host of the open internet uses. */
const BLOCKED: readonly (readonly [address: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["::1", 128],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const blocked = new BlockList();
for (const [address, prefix] of BLOCKED) blocked.addSubnet(address, prefix, isIPv6(address) ? "ipv6" : "ipv4");

/** The IPv4 address in an IPv6 address like `::ffff:10.0.0.1`; any other address without its zone. */
function unwrap(address: string): string {
  const [plain = ""] = address.split("%", 1);
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
}

/** Whether an address is outside of the open internet. */
export function isPrivateAddress(address: string): boolean {
  const plain = unwrap(address);
  if (!isIPv6(plain)) return blocked.check(plain, "ipv4");
  // IPv4-compatible and IPv4-mapped addresses, written in hexadecimal.
  return blocked.check(plain, "ipv6") || /^::(?:ffff:)?[0-9a-f:]*$/i.test(plain);
}
