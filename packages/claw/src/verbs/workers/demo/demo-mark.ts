/** Prefix of the name of a demonstration's folder. */
export const DEMO_PREFIX = "claw-demo-";

/** The environment variable that marks every process started for a demonstration. */
export const demoMark = (folder: string): { readonly name: string; readonly value: string } => ({
  name: "CLAW_DEMO",
  value: folder,
});
