"""Text that cannot be read on a page: over other text, cut off without an ellipsis, or beyond the edge."""

from playwright.sync_api import Page

# One box a line of text, less what a scroller has scrolled away; controls and pictures are boxes too.
UNREADABLE = r"""
(onPaper) => {
  const SLACK = 2;
  const found = new Set(), boxes = [], styles = new Map(), edges = new Map();
  const remember = (map, read) => (element) => {
    if (!map.has(element)) map.set(element, read(element));
    return map.get(element);
  };
  const style = remember(styles, (element) => {
    const { overflowX, overflowY, textOverflow, position, display, clipPath, webkitLineClamp } =
      getComputedStyle(element);
    return { overflowX, overflowY, textOverflow, position, display, clipPath, webkitLineClamp };
  });
  const edge = remember(edges, (element) => element.getBoundingClientRect());
  const place = (element) => {
    const part = element.closest("[data-testid]")?.dataset.testid ?? "";
    return `${part} ${(element.getAttribute("class") ?? element.localName).split(" ")[0]}`.trim();
  };
  const seen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    !element.closest("script, style, template, title, option, .ts-hidden, .ts-longest") &&
    style(element).clipPath === "none";
  const say = (kind, words, by) => found.add(`${kind} by ${Math.round(by)} px: ${words}`);

  const add = (element, owner, words, rect) => {
    let { left, top, right, bottom } = rect;
    let lost = 0, dots = false;
    const floats = [];
    for (let outer = element; outer && outer !== document.body; outer = outer.parentElement) {
      const { overflowX, overflowY, textOverflow, position, display, webkitLineClamp } = style(outer);
      dots ||= textOverflow === "ellipsis" || webkitLineClamp !== "none";
      const clips = !/inline$|contents/.test(display) && !(outer instanceof SVGElement && outer.ownerSVGElement);
      if (clips && (overflowX !== "visible" || overflowY !== "visible")) {
        const within = edge(outer);
        const cuts = (way) => way === "hidden" || way === "clip" || (onPaper && way !== "visible");
        if (cuts(overflowX)) lost = Math.max(lost, right - within.right, within.left - left);
        if (cuts(overflowY)) lost = Math.max(lost, bottom - within.bottom, within.top - top);
        if (overflowX !== "visible") [left, right] = [Math.max(left, within.left), Math.min(right, within.right)];
        if (overflowY !== "visible") [top, bottom] = [Math.max(top, within.top), Math.min(bottom, within.bottom)];
      }
      if (position === "fixed") break;
    }
    if (lost > SLACK && !dots) say("cut off", `${place(element)} “${words}”`, lost);
    if (right - left < 1 || bottom - top < 1) return;
    const away = Math.max(right - innerWidth, -left);
    if (away > SLACK) say("off the page", `${place(element)} “${words}”`, away);
    const air = Math.min(2, 0.12 * (bottom - top)); // a line is taller than its letters
    boxes.push({ element, owner, words, left, right, top: top + air, bottom: bottom - air });
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.data.trim().replace(/\s+/g, " ").slice(0, 40);
    if (!words || !seen(node.parentElement)) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) if (rect.width >= 1) add(node.parentElement, node, words, rect);
  }
  for (const control of document.querySelectorAll("select, textarea, input")) {
    if (!/^(range|checkbox|radio)$/.test(control.type) && seen(control))
      add(control, control, control.selectedOptions?.[0]?.text ?? control.value, edge(control));
  }
  for (const picture of document.querySelectorAll("svg[viewBox], canvas")) {
    if (seen(picture) && edge(picture).width > 60 && edge(picture).height > 30)
      add(picture, picture, "(picture)", edge(picture));
  }

  const ofOnePicture = (a, b) => a.words === "(picture)" && a.element.parentElement.contains(b.element);
  const layer = ({ element }) => element.closest(":popover-open, dialog[open], [role=menu], .ts-cause");
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, k) => {
    for (let j = k + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
      const b = boxes[j];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - b.top;
      if (a.owner === b.owner || Math.min(across, down) <= SLACK) continue;
      if (layer(a) !== layer(b) || ofOnePicture(a, b) || ofOnePicture(b, a)) continue;
      say("over each other", `${place(a.element)} “${a.words}” and ${place(b.element)} “${b.words}”`,
        Math.min(across, down));
    }
  });
  return [...found];
}
"""
SETTLED = """
() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))
"""


def unreadable(page: Page, on_paper: bool = False) -> list[str]:
    """Return what cannot be read of the page as it stands, once it has settled."""
    page.evaluate(SETTLED)
    return page.evaluate(UNREADABLE, on_paper)
