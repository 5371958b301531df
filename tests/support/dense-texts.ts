import { createHash } from 'node:crypto'

/** Returns bytes that depend only on the name. */
function bytesOf(name: string, count: number): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at * 32 < count; at++) {
    blocks.push(createHash('sha256').update(`${name} ${at}`).digest())
  }
  return Buffer.concat(blocks).subarray(0, count)
}

function fromCodePoints(first: number, range: number): (bytes: Buffer) => string {
  return (bytes) => {
    let text = ''
    for (let at = 0; at + 1 < bytes.length; at += 4) {
      text += String.fromCodePoint(first + (bytes.readUInt16BE(at) % range))
    }
    return text
  }
}

const uuid = /(.{8})(.{4})(.{4})(.{4})(.{12})/g
const signs = '{}[]()<>;:,.!?#$%&*+-=/\\|^~@_\'"`'

const makers: Record<string, (bytes: Buffer) => string> = {
  uuids: (bytes) => bytes.toString('hex').replace(uuid, '$1-$2-$3-$4-$5\n'),
  base64: (bytes) => bytes.toString('base64'),
  hex: (bytes) => bytes.toString('hex'),
  digits: (bytes) => [...bytes].join(''),
  signs: (bytes) => [...bytes].map((byte) => signs[byte % signs.length]).join(''),
  'random bytes': (bytes) => bytes.toString('latin1'),
  CJK: fromCodePoints(0x4e00, 0x5000),
  Hangul: fromCodePoints(0xac00, 0x2b00),
  Devanagari: fromCodePoints(0x900, 0x80),
  ligatures: fromCodePoints(0xfb50, 0x2b0),
  emoji: fromCodePoints(0x1f300, 0x300),
  code: (bytes) =>
    [...bytes]
      .map((byte, at) => `${'\t'.repeat(byte % 4)}const v${at} = fn_${byte}(a[${byte}]) ?? null;\n`)
      .join(''),
  'one letter': (bytes) => 'a'.repeat(bytes.length),
  'white space': (bytes) => [...bytes].map((byte) => ' \t\n\r'[byte % 4]).join(''),
  English: (bytes) =>
    [...bytes].map((byte) => ['the ', 'budget ', 'of ', 'this ', 'group. '][byte % 5]).join(''),
}

/** Returns texts of many kinds, each about `bytes` long, that have more tokens than their length suggests. */
export function denseTexts(bytes: number, seed = ''): [kind: string, text: string][] {
  return Object.entries(makers).map(([kind, make]) => {
    const text = make(bytesOf(seed + kind, bytes))
    return [kind, text.slice(0, Math.max(1, bytes))]
  })
}
