"""How well a text can be read where it stands."""

from playwright.sync_api import Locator

# Relative luminance and contrast ratio as the Web Content Accessibility Guidelines 2.2 define them. A canvas
# turns every way of writing a colour into bytes; surfaces are painted from the page up to the text.
RATIO = """
(element) => {
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  canvas.width = canvas.height = 1;
  const paint = (colour) => { brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1); };
  const luminance = () => {
    const linear = [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
      const c = byte / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const surfaces = [];
  for (let node = element; node; node = node.parentElement) surfaces.unshift(getComputedStyle(node).backgroundColor);
  paint("white");
  surfaces.forEach(paint);
  const behind = luminance();
  paint(getComputedStyle(element).color);
  const text = luminance();
  return (Math.max(behind, text) + 0.05) / (Math.min(behind, text) + 0.05);
}
"""


def contrast(text: Locator) -> float:
    """Return the contrast ratio, 1 to 21, of a text's own colour against what is painted behind it."""
    return float(text.evaluate(RATIO))
