import { lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { errnoOf, PRIVATE_FILE, PRIVATE_FOLDER, withFileErrors, writeFileAtomically } from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { requireConsent } from "../../runtime/require-consent.ts";
import type * as machineKeys from "./machine-keys.ts";
import type { MachineKey } from "./machine-keys.ts";

type Input = VerbInput<"cluster-credentials">;
type Output = VerbOutput<"cluster-credentials">;
type Keys = typeof machineKeys;

/** Holds public keys only, and is read by nats-server, often another user. */
const SHARED_FILE = 0o644;

interface Place {
  readonly machine: string;
  readonly file: string;
  readonly key: MachineKey | undefined;
}

/** The text of the configuration that is there; undefined without one. */
function readConfig(path: string): string | undefined {
  const stats = withFileErrors("open", path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  if (stats.isFile()) return withFileErrors("open", path, () => readFileSync(path, "utf8"));
  throw new ClawError("INVALID_OUTPUT_PATH", `${path} is not a file`, { operation: "write", target: path });
}

/** Keeps a key in a new file. Gives the key that the file holds when another call was quicker. */
function keep({ file }: Place, { makeKey, readKey }: Keys, { files }: Ports): MachineKey {
  const made = makeKey();
  try {
    writeFileAtomically(files, file, `${made.seed}\n`, { mode: PRIVATE_FILE, exclusive: true });
    return made;
  } catch (error) {
    const found = errnoOf(error) === "EEXIST" ? readKey(file) : undefined;
    if (found !== undefined) return found;
    throw error;
  }
}

const configOf = (keys: Keys, cluster: string, places: readonly (readonly [string, MachineKey])[]): string =>
  keys.configText(
    cluster,
    places.map(([machine, { publicKey }]) => ({ machine, publicKey })),
  );

interface Plan {
  readonly config: string;
  readonly places: readonly Place[];
  readonly before: string | undefined;
  readonly isSame: boolean;
}

function planOf({ machines, cluster, out }: Input, keys: Keys, { cwd }: Ports): Plan {
  const folder = resolve(cwd, out);
  const config = join(folder, `${cluster}.conf`);
  const places = [...new Set(machines)].map((machine) => {
    const file = join(folder, `${machine}.nk`);
    return { machine, file, key: keys.readKey(file) };
  });
  const before = readConfig(config);
  const known = places.flatMap(({ machine, key }) => (key === undefined ? [] : [[machine, key] as const]));
  const isSame = known.length === places.length && before === configOf(keys, cluster, known);
  return { config, places, before, isSame };
}

const outputOf = ({ cluster }: Input, { config, places }: Plan, made: readonly (MachineKey | undefined)[]) => ({
  cluster,
  config,
  machines: places.map(({ machine, file, key }, index) => ({
    machine,
    file,
    public_key: made[index]?.publicKey ?? null,
    status: key !== undefined ? "kept" : made[index] === undefined ? "would_create" : "created",
  })) satisfies Output["machines"],
});

function preview(input: Input, plan: Plan): Output {
  const { config, places, before, isSame } = plan;
  const files = places.filter(({ key }) => key === undefined).map(({ file }) => file);
  const answer = outputOf(
    input,
    plan,
    places.map(({ key }) => key),
  );
  if (isSame) return { ...answer, effect: "noop", would_affect: [] };
  return {
    ...answer,
    effect: before === undefined ? "would_create" : "would_update",
    would_affect: [...files, config],
  };
}

async function run(input: Input, ports: Ports): Promise<Output> {
  const keys = await import("./machine-keys.ts");
  const plan = planOf(input, keys, ports);
  const { config, places, before, isSame } = plan;
  if (input.dryRun) return preview(input, plan);
  if (before !== undefined && !isSame) {
    const partial = { config, effect: "would_update" };
    const consent = { question: `Replace ${config}`, operation: "write", target: config, yes: input.yes, partial };
    await requireConsent(consent, ports);
  }
  const folder = resolve(ports.cwd, input.out);
  withFileErrors("create", folder, () => mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER }));
  const made = places.map((place) => place.key ?? withFileErrors("create", place.file, () => keep(place, keys, ports)));
  const answer = outputOf(input, plan, made);
  if (isSame) return { ...answer, effect: "noop" };
  const users = places.map(({ machine }, index) => [machine, made[index] as MachineKey] as const);
  const text = configOf(keys, input.cluster, users);
  withFileErrors("create", config, () => writeFileAtomically(ports.files, config, text, { mode: SHARED_FILE }));
  return { ...answer, effect: before === undefined ? "created" : "updated" };
}

export const handler = handle("cluster-credentials", {
  run,
  show: ({ cluster, config, machines, effect }, paint) => {
    const lines = machines.map(
      ({ machine, file, status }) => `  ${paint.bold(machine)}  ${file} (${status.replace("_", " ")})`,
    );
    const head = effect === "noop" ? `${config} is as it should be` : `${effect.replace("_", " ")}: ${config}`;
    return [
      `Cluster ${paint.bold(cluster)}. ${head}`,
      ...lines,
      "Include the configuration in that of every nats-server. Copy each key to its machine.",
    ].join("\n");
  },
});
