import { expect, it } from 'vitest'
import { drawer, secretForms, secretKinds, shownPart } from '@/tests/support/secret-kinds'
import { byLine } from './redacted-lines'

function passedOn(pieces: readonly string[]): string[] {
  const shown: string[] = []
  const lines = byLine((text) => shown.push(text))
  for (const piece of pieces) lines.push(piece)
  lines.close()
  return shown
}

it('passes on each short line at once, and the last one at the end', () => {
  expect(passedOn(['first\nsec', 'ond\n', 'last'])).toEqual(['first\n', 'second\n', 'last'])
})

it('passes on all of a text, however it comes in', () => {
  const lines = Array.from({ length: 300 }, (_, index) => 'word '.repeat(index % 40)).join('\n')
  const pieces = lines.match(/[\s\S]{1,37}/g) ?? []
  expect(passedOn(pieces).join('')).toBe(lines)
  const long = 'no end '.repeat(5_000)
  expect(passedOn(long.match(/.{1,1000}/g) ?? []).join('')).toBe(long)
})

it('shows nothing of a key that goes on in the next line, which comes later', () => {
  for (const form of [
    'on a line',
    'folded at 64',
    'folded and indented',
    'folded, with backslashes',
  ] as const) {
    for (const [kind, make] of Object.entries(secretKinds)) {
      const example = make(drawer(kind.length * 31 + form.length))
      const { text } = secretForms[form]?.(example) ?? { text: '' }
      expect(text).not.toBe('')
      const shown = passedOn(text.split(/(?<=\n)/)).join('')
      expect(shownPart(shown, example.secret), `${kind}\n${shown}`).toBeNull()
    }
  }
})

it('passes on the beginning of much output, and then a line that says where the rest is', () => {
  const text = passedOn(Array.from({ length: 32 }, () => 'y\n'.repeat(16 * 1024))).join('')
  expect(text).toMatch(/^(?:y\n)+… What follows is shown when the command ends\.\n$/)
  expect(text.length).toBeLessThan(300 * 1024)
})
