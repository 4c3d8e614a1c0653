// What is wrong with the page that is shown, as a list of sentences.
() => {
  const wrong = [];
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const name = (e) => e.outerHTML.replace(/\s+/g, " ").slice(0, 90);

  const root = document.documentElement;
  const over = root.scrollWidth - root.clientWidth;
  if (over > 0) wrong.push(`scrolls sideways by ${over} px`);

  if (document.querySelectorAll("h1").length !== 1) wrong.push("has not one h1");
  if (document.querySelectorAll("main").length !== 1) wrong.push("has not one main");
  if (!document.title || !root.lang) wrong.push("has no title or language");
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) wrong.push(`skips a heading level: ${name(heading)}`);
    level = next;
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i)))
    wrong.push(`has the id ${id} twice`);
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby]"))
    for (const attribute of ["aria-labelledby", "aria-describedby"])
      for (const id of (e.getAttribute(attribute) || "").split(" ").filter(Boolean))
        if (!document.getElementById(id)) wrong.push(`${attribute} to nothing: ${id}`);
  for (const e of document.querySelectorAll("input, select, textarea"))
    if (e.type !== "hidden" && !e.labels.length && !e.ariaLabel)
      wrong.push(`has no label: ${name(e)}`);
  for (const e of document.querySelectorAll("a, button"))
    if (!e.textContent.trim() && !e.ariaLabel) wrong.push(`has no text: ${name(e)}`);
  for (const e of document.querySelectorAll("table")) {
    if (!e.caption && !e.closest("[role=region]")) wrong.push("has a nameless table");
    for (const th of e.querySelectorAll("th"))
      if (!th.scope) wrong.push(`has no scope: ${name(th)}`);
  }
  for (const e of document.querySelectorAll(".scroll"))
    if (e.tabIndex !== 0) wrong.push(`cannot be scrolled with keys: ${name(e)}`);

  const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const color = parts(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const e = node.parentElement;
    if (!node.data.trim() || !shown(e) || e.closest("option, noscript, script")) continue;
    const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) wrong.push(`contrast ${contrast.toFixed(2)}: ${name(e)}`);
  }
  return wrong;
};
