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
})
