import { expect, test } from 'vitest'
import type { Seen, SeenText } from '@/lib/protocol/look'
import { printCheck, printPreview } from './print-check'

const text = (shown: string): SeenText => ({ text: shown, sha256: `#${shown}`, bytes: 3 })
const seen = (shown: string): Seen => ({ type: 'text', ...text(shown) })

function printed(print: (page: { line: (text: string) => void }) => void): string[] {
  const lines: string[] = []
  print({ line: (line) => void lines.push(line.trim()) })
  return lines
}

test('a preview prints what is there and the lines that change', () => {
  const preview = { before: seen('one\ntwo\n'), becomes: text('one\nthree\n') }
  expect(printed((page) => printPreview(page, preview)).slice(2)).toEqual(['- two', '+ three'])
  const unknown = { before: { type: 'nothing' as const }, becomes: null }
  expect(printed((page) => printPreview(page, unknown))).toEqual([
    'There now: nothing',
    'What will be there is not known.',
  ])
  expect(printed((page) => printPreview(page, undefined))).toEqual([])
})

test('a check prints what was not approved, not what was', () => {
  const check = { before: seen('old'), approved: text('new'), after: seen('newer') }
  expect(printed((page) => printCheck(page, check))).toEqual([
    'Before: 3 B, SHA-256 #old',
    'Approved: 3 B, SHA-256 #new',
    'Now: 3 B, SHA-256 #newer',
    '- new',
    '+ newer',
  ])
  const after = { type: 'unread' as const, problem: 'It is locked.' }
  const unread = { before: seen('old'), approved: null, after }
  expect(printed((page) => printCheck(page, unread)).slice(1)).toEqual([
    'Approved: not known before the call',
    'Now: not read. It is locked.',
  ])
})

test('the first lines are printed and the others counted', () => {
  const lines = Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n')
  const preview = { before: { type: 'nothing' as const }, becomes: text(lines) }
  expect(printed((page) => printPreview(page, preview)).at(-1)).toBe('… 10 more lines')
})
