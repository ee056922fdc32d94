import { register } from "node:module";

/**
 * The conformance suite imports `globSync` of `fs`, which Node has since 22, and calls it only for its own reports. This
 * gives the suite a module with that name in it, so that it runs on Node 20.
 */
const SUITE = "/@modelcontextprotocol/conformance/";
const FS = 'export * from "node:fs"; export const globSync = () => [];';

const asModule = (code) => `data:text/javascript,${encodeURIComponent(code)}`;

register(
  asModule(`export const resolve = (name, context, next) =>
    name === "fs" && context.parentURL?.includes(${JSON.stringify(SUITE)})
      ? { url: ${JSON.stringify(asModule(FS))}, shortCircuit: true }
      : next(name, context);`),
);
