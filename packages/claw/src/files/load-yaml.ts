/** Loads the YAML parser, which only fleet files and the front matter of skills need. */
export const loadYaml = () => import("./parse-yaml.ts");
