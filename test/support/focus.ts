import { type Page } from 'playwright-core';

const mostStops = 800;

/**
 * Tabs through a page or an open dialog, and returns the elements whose focus is hard to see. The ring needs a contrast of 3:1 (WCAG 2.2,
 * 1.4.11).
 */
export async function faintFocus(page: Page): Promise<unknown[]> {
  const faint: unknown[] = [];
  await page.evaluate('globalThis.knownStops = new Set()');
  for (let count = 0; ; count += 1) {
    if (count === mostStops) throw new Error(`the Tab key did not reach the end in ${mostStops} steps`);
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop>(lookAtStop);
    if (stop.isKnown) break;
    if (stop.width < 10 || stop.height < 10 || !(stop.contrast >= 3)) faint.push(stop);
  }
  await page.evaluate('document.activeElement.blur()');
  return faint;
}

interface Stop {
  isKnown: boolean;
  html: string;
  width: number;
  height: number;
  contrast: number;
}

/**
 * Measures the focused element. The browser blends the colours on a canvas of one pixel: the backgrounds around the element, outermost
 * first, then the focus ring.
 */
const lookAtStop = `(() => {
  const isKnown = knownStops.has(document.activeElement);
  knownStops.add(document.activeElement);
  // CodeMirror's field is hidden, and the editor shows the focus.
  const element = document.activeElement.closest('.CodeMirror') ?? document.activeElement;
  if (element === document.body) return { isKnown, width: 10, height: 10, contrast: 3 };
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const luminanceUnder = (color) => {
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...pixel.getImageData(0, 0, 1, 1).data].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  let ground = luminanceUnder(isDark ? '#121212' : '#ffffff');
  const around = [];
  for (let each = element.parentElement; each; each = each.parentElement) around.unshift(each);
  for (const each of around) ground = luminanceUnder(getComputedStyle(each).backgroundColor);
  const { outlineStyle, outlineColor } = getComputedStyle(element);
  const ring = luminanceUnder(outlineStyle === 'none' ? 'transparent' : outlineColor);
  const { width, height } = element.getBoundingClientRect();
  const contrast = (Math.max(ring, ground) + 0.05) / (Math.min(ring, ground) + 0.05);
  return { isKnown, html: element.outerHTML.slice(0, 120), width, height, contrast };
})()`;
