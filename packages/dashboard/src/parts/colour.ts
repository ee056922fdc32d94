/** A colour of the theme, resolved for code that draws by itself. */
export function colourOf(name: `--${string}`): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Whether the page is dark: by the person's choice, else by the system's. */
export function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === "light dark" ? matchMedia("(prefers-color-scheme: dark)").matches : colorScheme === "dark";
}
