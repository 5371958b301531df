import { describe, expect, it } from 'vitest'
import { scrubSecrets } from './scrub-secrets'

describe('scrubSecrets', () => {
  const key = 'my secret/key+1"2'

  it('removes the key in every spelling, at every depth, from errors too', () => {
    const detail = {
      body: JSON.stringify({ sent: key }),
      url: `https://x.example/?key=${encodeURIComponent(key)}`,
      error: new Error(`refused ${key}`, { cause: new Error(key) }),
      list: [{ [key]: key }],
    }
    const clean = JSON.stringify(scrubSecrets(detail, [key]))
    for (const spelling of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
      expect(clean).not.toContain(spelling)
      expect(clean).not.toContain(JSON.stringify(spelling).slice(1, -1))
    }
    expect(clean).toContain('refused')
  })

  it('removes what looks like a key of somebody else', () => {
    expect(scrubSecrets('Incorrect API key: sk-proj-abcdefgh12345678', [null])).not.toContain(
      'abcdefgh',
    )
  })

  it('cuts long texts and deep objects, and never throws', () => {
    const loop: Record<string, unknown> = { text: 'x'.repeat(100_000) }
    loop.self = loop
    expect(JSON.stringify(scrubSecrets(loop, [])).length).toBeLessThan(100_000)
  })

  it.each([
    ['plain', 'vkey.9f3a:Zq7!mB2#xL5@tR8'],
    ['with what JSON and addresses escape', 'vk"9f/3a\\Zq7 mB2%xL5&tR8'],
  ])('leaves nothing of a key, %s, wherever its echo was cut', (_, own) => {
    const echoes = [own, encodeURIComponent(own), JSON.stringify(own).slice(1, -1)]
    for (const echo of echoes) {
      for (let at = 0; at <= echo.length; at++) {
        const cutBefore = `refused: ${echo.slice(0, at)}`
        const cutHere = `${'x '.repeat(4_000).slice(0, 8_000 - at)}${echo} and more`
        for (const text of [cutBefore, `${cutBefore}\ufffd`, cutHere]) {
          const clean = JSON.stringify(scrubSecrets({ head: text }, [own]))
          for (const piece of piecesOf(echo)) expect(clean).not.toContain(piece)
        }
      }
    }
  })
})

/** Returns every eight characters of a text, as JSON has them. */
function piecesOf(text: string): string[] {
  const starts = Array.from({ length: Math.max(0, text.length - 7) }, (_, start) => start)
  return starts.map((start) => JSON.stringify(text.slice(start, start + 8)).slice(1, -1))
}
