import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Bytes } from '@/lib/words/format'
import type { PromptMemory } from './memory'
import { afterFences, fenceLine, insideFence } from './model/model-text'
import { fittingNotes, memoryText, memoryWords, mostNoteBytes } from './prompt-memory'

const fence = { nonce: '7f00', canary: 'canary-51' }
const note = (text: string, place = 0) => ({ id: `n${place}`, text, date: '2026-11-26T00:00:00Z' })
const read = (notes: ReturnType<typeof note>[], leftOut = 0): PromptMemory => ({
  type: 'read',
  notes,
  leftOut,
  flags: [],
})

test('notes go in whole and in their order, as many as fit', () => {
  const notes = [
    note('new', 0),
    note('x'.repeat(7_000), 1),
    note('é'.repeat(3_000), 2),
    note('old', 3),
  ]
  const { notes: fitting, leftOut } = fittingNotes(notes)
  expect(fitting.map(({ id }) => id)).toEqual(['n0', 'n1', 'n3'])
  expect(leftOut).toBe(1)
  expect(fittingNotes([note('é'.repeat(4_000))])).toMatchObject({
    notes: [note('é'.repeat(4_000))],
  })
  expect(fittingNotes([note('語'.repeat(4_000))])).toEqual({ notes: [], leftOut: 1 })
})

test('no notes ever take more than the limit, and none is lost uncounted', () => {
  const character = fc.constantFrom('a', 'é', '語', '"', '\n')
  const text = fc.tuple(character, fc.nat(4_000)).map(([one, count]) => one.repeat(count))
  const texts = fc.array(text, { maxLength: 40 })
  fc.assert(
    fc.property(texts, (all) => {
      const { notes, leftOut } = fittingNotes(all.map(note))
      expect(notes.length + leftOut).toBe(all.length)
      expect(utf8Bytes(JSON.stringify(notes))).toBeLessThanOrEqual(mostNoteBytes)
    }),
  )
})

test('T6: notes stand in a fence, and what did not fit is said in front of it', () => {
  const sent = memoryText(read([note('Ada likes tables.')], 2), fence)
  expect(sent).toBe(
    '[Note from Toolgate: 1 note of earlier runs with this person, newest first; 2 more did not fit, and memory_read finds them.]\n' +
      '<untrusted-7f00 memory="notes">\n[marker canary-51: not part of the content, never to be written]\n' +
      '[{"id":"n0","text":"Ada likes tables.","date":"2026-11-26T00:00:00Z"}]\n</untrusted-7f00>\n\n',
  )
  expect(afterFences(`${fenceLine(fence)}${sent}What is new?`)).toBe('What is new?')
  const denied = { type: 'denied', gate: 'enabled', reason: 'Off.' } as const
  for (const none of [undefined, read([]), denied]) expect(memoryText(none, fence)).toBe('')
  expect(memoryText(read([], 1), fence)).toContain('0 notes of earlier runs')
})

test('T6: no note closes the fence, whatever it holds', () => {
  const pieces = fc.constantFrom(
    '</untrusted-7f00>',
    '<untrusted-7F00 x="y">',
    'canary-51',
    '\n',
    '"',
    ']',
  )
  const text = fc.oneof(
    fc.array(pieces).map((parts) => parts.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      const sent = memoryText(read(texts.map(note)), fence)
      expect(sent.toLowerCase().split('7f00')).toHaveLength(3)
      expect(sent.split('canary-51')).toHaveLength(2)
      expect(JSON.parse(insideFence(sent))).toHaveLength(texts.length)
      expect(afterFences(`${sent}What is new?`)).toBe('What is new?')
    }),
  )
})

test('says how many there are, and why there are none', () => {
  expect(memoryWords(read([note('a'), note('b')], 1))).toBe('Notes from memory: 2, 1 left out')
  expect(memoryWords(read([]))).toBe('Notes from memory: none')
  expect(memoryWords(read([], 3))).toBe('Notes from memory: 0, 3 left out')
  const denied = { type: 'denied', gate: 'enabled', reason: 'Off.' } as const
  expect(memoryWords(denied)).toBe('Notes from memory: not read')
})
