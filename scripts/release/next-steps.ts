/** What a person does after a dry run; `claw-cli` comes last, because people install it first. */
export function nextSteps(version: string, out: string | undefined): string {
  const tag = `v${version}`;
  const packages = ["claw-contract", "claw-client", "claw-cli"];
  const lines = [
    `cd ${out ?? "FOLDER"} && sha256sum -c SHA256SUMS`,
    ...packages.map((name) => `npm publish ./${name}-${version}.tgz --access public`),
    `git tag -a ${tag} -m "claw ${version}"      # in the repository, on this commit`,
    `git push origin ${tag}`,
    `node scripts/keep-release.mjs              # then commit test/fixtures/releases/${version}`,
  ];
  const folder = out === undefined ? "\nFOLDER is what you give to --out; without it the files are not kept." : "";
  return `A person publishes it by hand:\n\n${lines.map((line) => `  ${line}`).join("\n")}\n${folder}`;
}
