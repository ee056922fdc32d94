/** How the folder of a demonstration is called. */
export const DEMO_PREFIX = "claw-demo-";

/** A variable that everything started for a demonstration has in its environment. */
export const demoMark = (folder: string): { readonly name: string; readonly value: string } => ({
  name: "CLAW_DEMO",
  value: folder,
});
