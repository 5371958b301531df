import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Oklch = [lightness: number, chroma: number, hue: number]
type Token = { light: Oklch; dark: Oklch }

const css = readFileSync(new URL('./globals.css', import.meta.url), 'utf8')
const tokens = readTokens(css)

const text = 4.5
const shape = 3
const surfaces = ['surface-0', 'surface-1', 'surface-2']
const states = ['running', 'ok', 'warning', 'error', 'waiting', 'off']

/** Every pair the interface uses, with what WCAG 2.2 AA asks of it. */
const pairs: [front: string, back: string, ratio: number][] = [
  ...['strong', 'normal', 'muted', 'link', ...states].flatMap((front) =>
    surfaces.map((back): [string, string, number] => [front, back, text]),
  ),
  ['strong', 'surface-3', text],
  ['muted', 'surface-3', text],
  ...states.map((state): [string, string, number] => [state, `${state}-soft`, text]),
  ['normal', 'error-soft', text],
  ['normal', 'warning-soft', text],
  ...['accent', 'accent-hover', 'danger', 'danger-hover'].map((back): [string, string, number] => [
    'on-accent',
    back,
    text,
  ]),
  ['surface-1', 'strong', text],
  ['line-strong', 'surface-0', shape],
  ['line-strong', 'surface-1', shape],
  ['accent', 'surface-1', shape],
]

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  test.each(pairs)('%s on %s reaches %d', (front, back, ratio) => {
    expect(contrast(token(front)[scheme], token(back)[scheme])).toBeGreaterThanOrEqual(ratio)
  })
})

function token(name: string): Token {
  const found = tokens.get(name)
  if (!found) throw new Error(`globals.css has no --color-${name}`)
  return found
}

function readTokens(source: string): Map<string, Token> {
  const pattern = /--color-([\w-]+): light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\)/g
  return new Map(
    [...source.matchAll(pattern)].map(([, name = '', light = '', dark = '']) => [
      name,
      { light: parse(light), dark: parse(dark) },
    ]),
  )
}

function parse(value: string): Oklch {
  const [lightness = 0, chroma = 0, hue = 0] = value.split(' ').map(Number)
  return [lightness, chroma, hue]
}

function contrast(a: Oklch, b: Oklch): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

/** Returns the relative luminance after clipping to what an sRGB screen shows. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function clip(channel: number): number {
  return Math.min(1, Math.max(0, channel))
}
