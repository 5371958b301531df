/**
 * A text, or what is left of it after its escapes were read. `places[i]` is where character i begins in the text that
 * was given, and one more tells where the last one ends. From `openFrom` on, an escape may have only begun.
 */
export type Layer = { text: string; places: readonly number[] | null; openFrom: number }

const deepest = 3

const escapes =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#([0-9]{1,7});?|\\(["'\\/bfnrtv])/gi
const begun =
  /(?:%[0-9a-f]?|\\(?:u\{?[0-9a-f]{0,6}|x[0-9a-f]?)?|&(?:#(?:x[0-9a-f]{0,6}|[0-9]{0,7}))?)$/i
const mayEscape = /[%\\&]/

/** The text as it is and with the escapes of addresses, JSON and HTML read, up to three times over. */
export function canaryLayers(text: string): Layer[] {
  const layers: Layer[] = []
  let next: Layer | null = { text, places: null, openFrom: openFrom(text) }
  while (next && layers.length <= deepest) {
    layers.push(next)
    next = readEscapes(next)
  }
  return layers
}

/** Where a character of the layer stands in the text that was given. */
export function placeIn({ places }: Layer, index: number): number {
  return places ? (places[index] ?? places.at(-1) ?? 0) : index
}

function readEscapes(layer: Layer): Layer | null {
  const source = layer.text
  if (!mayEscape.test(source)) return null
  const parts: string[] = []
  const places: number[] = []
  let at = 0
  const keepTo = (end: number) => {
    parts.push(source.slice(at, end))
    for (; at < end; at++) places.push(placeIn(layer, at))
  }
  for (const match of source.matchAll(escapes)) {
    const meant = meantBy(match)
    keepTo(match.index)
    parts.push(meant)
    for (let unit = 0; unit < meant.length; unit++) places.push(placeIn(layer, at))
    at += match[0].length
  }
  if (places.length === 0) return null
  keepTo(source.length)
  const text = parts.join('')
  if (text === source) return null
  places.push(placeIn(layer, source.length))
  const whole: Layer = { text, places, openFrom: 0 }
  return { ...whole, openFrom: Math.min(layer.openFrom, placeIn(whole, openFrom(text))) }
}

function meantBy([, percent, json, braced, hex, html, decimal, simple]: RegExpExecArray): string {
  if (simple !== undefined) return /[bfnrtv]/.test(simple) ? ' ' : simple
  const code =
    decimal === undefined
      ? Number.parseInt(percent ?? json ?? braced ?? hex ?? html ?? '', 16)
      : Number.parseInt(decimal, 10)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}

function openFrom(text: string): number {
  const tail = text.slice(-12)
  const match = begun.exec(tail)
  return match ? text.length - tail.length + match.index : text.length
}
