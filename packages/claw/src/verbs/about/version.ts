import { handle } from "../runtime/handle.ts";

export const handler = handle("version", {
  run: (_input, ports) => ({
    kind: "version",
    version: ports.toolVersion,
    node_version: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    executable_path: process.argv[1] ?? process.execPath,
  }),
  show: ({ version, node_version, platform, arch }, paint) =>
    `claw ${paint.bold(version)} ${paint.dim(`(node ${node_version}, ${platform} ${arch})`)}`,
});
