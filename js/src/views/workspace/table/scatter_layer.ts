/**
 * Thousands of points blended by hand into one picture: where canvases are drawn without a graphics card, a call for
 * each point costs more than a frame.
 */

export interface Layer {
  clear(width: number, height: number): void;
  /** Blend a picture around a pixel. */
  stamp(picture: ImageData | null, x: number, y: number): void;
  show(pen: CanvasRenderingContext2D): void;
}

const SOLID = 255;

export function createLayer(): Layer {
  const canvas = document.createElement("canvas");
  let pen: CanvasRenderingContext2D | null = null;
  let image: ImageData | null = null;
  return {
    clear(width, height) {
      if (image?.width === width && image.height === height) image.data.fill(0);
      else {
        pen ??= canvas.getContext("2d");
        Object.assign(canvas, { width, height });
        image = pen?.createImageData(width, height) ?? null;
      }
    },
    stamp(picture, x, y) {
      if (image && picture) blend(image, picture, x - (picture.width >> 1), y - (picture.height >> 1));
    },
    show(onto) {
      if (!image) return;
      pen?.putImageData(image, 0, 0);
      onto.drawImage(canvas, 0, 0);
    },
  };
}

/** Blend one picture over another, both with their colours not yet multiplied by their opacity. */
export function blend(onto: ImageData, picture: ImageData, left: number, top: number): void {
  const [to, from] = [onto.data, picture.data];
  const [first, last] = [Math.max(0, -left), Math.min(picture.width, onto.width - left)];
  for (let j = Math.max(0, -top); j < Math.min(picture.height, onto.height - top); j++) {
    let a = 4 * (j * picture.width + first);
    let b = 4 * ((top + j) * onto.width + left + first);
    for (let i = first; i < last; i++, a += 4, b += 4) {
      const over = from[a + 3] as number;
      if (over === 0) continue;
      const under = ((to[b + 3] as number) * (SOLID - over)) / SOLID;
      const both = over + under;
      for (let k = 0; k < 3; k++)
        to[b + k] = ((from[a + k] as number) * over + (to[b + k] as number) * under) / both;
      to[b + 3] = both;
    }
  }
}
