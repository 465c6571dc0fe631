/* Before anything is drawn: the theme chosen on this device, if one was. */
try {
  const t = localStorage.getItem("theme");
  if (t) document.documentElement.dataset.theme = t;
} catch {
  /* no storage */
}
document.documentElement.classList.add("js");
