import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawer, secretForms, secretKinds, shownPart } from '@/tests/support/secret-kinds'
import { redactLines, redactText } from './redact-text'

const kinds = Object.entries(secretKinds)
const forms = Object.entries(secretForms)
const modes = [{ hashes: false }, { hashes: true }]

describe.each(kinds)('%s', (_, make) => {
  it.each(forms)('never comes out %s', (_, write) => {
    for (const seed of [1, 22, 333, 4_444, 55_555]) {
      const example = make(drawer(seed * 7_919))
      const { text, also } = write(example)
      for (const mode of modes) {
        const shown = redactText(text, mode)
        for (const secret of [example.secret, ...also])
          expect(shownPart(shown, secret), `${text}\n\n${shown}`).toBeNull()
        expect(redactLines(text.split('\n'), mode)).toHaveLength(text.split('\n').length)
      }
    }
  })
})

it('hides secrets of any kind and form inside any text', () => {
  const prose = fc
    .array(fc.string({ maxLength: 30 }), { maxLength: 4 })
    .map((parts) => parts.join('\n'))
  const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 })
  const kind = fc.constantFrom(...kinds)
  const form = fc.constantFrom(...forms)
  fc.assert(
    fc.property(prose, prose, seeds, kind, form, fc.boolean(), (head, tail, seed, k, f, hashes) => {
      const example = k[1](drawer(seed))
      const { text, also } = f[1](example)
      const shown = redactText(`${head}\n${text}\n${tail}`, { hashes })
      for (const secret of [example.secret, ...also]) {
        // A part that the text around it has by chance is none of the secret.
        const part = shownPart(shown, secret)
        expect(part === null || shownPart(`${head}\n${tail}`, part) !== null).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
