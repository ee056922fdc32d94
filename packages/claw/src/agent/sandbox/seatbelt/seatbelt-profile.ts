/** What a command may reach. Places are absolute and free of links; later lists narrow the earlier ones. */
export interface SeatbeltView {
  /** Folders that may be read, and whose programs may be run. */
  readonly readable: readonly string[];
  /** Folders that may also be changed. */
  readonly writable: readonly string[];
  /** Places that may not be changed, with all below. They need not exist. */
  readonly fixed: readonly string[];
  /** Folders that may not be moved away, replaced or removed. Entries below them are not concerned. */
  readonly anchored: readonly string[];
  /** Places that may be neither read nor changed. */
  readonly hidden: readonly string[];
  /** Sockets that may be connected to. */
  readonly sockets: readonly string[];
}

/** What every program needs to start. Other processes are not visible, and no service of the system can be asked. */
const BASE = `(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read
  (sysctl-name-prefix "hw.")
  (sysctl-name "kern.argmax")
  (sysctl-name "kern.hostname")
  (sysctl-name "kern.maxfilesperproc")
  (sysctl-name "kern.ngroups")
  (sysctl-name "kern.osproductversion")
  (sysctl-name "kern.osrelease")
  (sysctl-name "kern.ostype")
  (sysctl-name "kern.osversion")
  (sysctl-name "kern.usrstack64")
  (sysctl-name "kern.version")
  (sysctl-name "sysctl.proc_cputype")
  (sysctl-name "vm.loadavg"))
(allow ipc-posix-sem)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* (literal "/") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/zero"))
(allow file-read* file-write-data file-ioctl (literal "/dev/null") (subpath "/dev/fd"))
(allow file-read-metadata (literal "/dev") (literal "/etc") (literal "/tmp") (literal "/var"))`;

/** The folders above a path, without the root of the disk. */
function above(path: string): string[] {
  const parent = path.slice(0, path.lastIndexOf("/"));
  return parent === "" ? [] : [...above(parent), parent];
}

/** A profile for `sandbox-exec`, with its parameters: a path in a parameter cannot end a string of the profile. */
export interface SeatbeltProfile {
  readonly text: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Denies everything that the view does not name: by default there is no network, and nothing can be written. */
export function seatbeltProfile(view: SeatbeltView): SeatbeltProfile {
  const names = new Map<string, string>();
  const place = (kind: "subpath" | "literal", path: string): string => {
    const name = names.get(path) ?? `P${names.size}`;
    names.set(path, name);
    return `(${kind} (param "${name}"))`;
  };
  const within = (paths: readonly string[]): string =>
    `(require-any ${paths.map((path) => place("subpath", path)).join(" ")})`;
  const except = (kind: "subpath" | "literal", paths: readonly string[]): string =>
    paths.map((path) => ` (require-not ${place(kind, path)})`).join("");
  const hidden = except("subpath", view.hidden);
  const seen = [...view.readable, ...view.writable];
  const parents = [...new Set(seen.flatMap(above))].toSorted();
  const rules = [
    ...(parents.length === 0
      ? []
      : [`(allow file-read-metadata ${parents.map((path) => place("literal", path)).join(" ")})`]),
    `(allow file-read* process-exec file-map-executable (require-all ${within(seen)}${hidden}))`,
    ...(view.writable.length === 0
      ? []
      : [
          `(allow file-write* (require-all ${within(view.writable)}${hidden}${except("subpath", view.fixed)}${except("literal", view.anchored)}))`,
        ]),
    ...(view.sockets.length === 0
      ? []
      : [
          "(allow system-socket (socket-domain AF_UNIX))",
          `(allow network-outbound ${view.sockets.map((path) => place("literal", path)).join(" ")})`,
        ]),
  ];
  const parameters = new Map([...names].map(([path, name]) => [name, path]));
  return { text: [BASE, ...rules, ""].join("\n"), parameters };
}
