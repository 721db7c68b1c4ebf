// Runs before the first paint of a figure on another site's page: the theme, whether things hold still, and what is left out.
{
  const query = new URLSearchParams(location.search);
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (query.get("motion") === "less") document.documentElement.dataset.motion = "less";
  document.documentElement.dataset.hide = (query.get("hide") ?? "").replaceAll(",", " ");
}
