import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LastOutcome } from './last-outcome'

const written = {
  type: 'written',
  at: '2026-11-29T03:00:00.000Z',
  by: 'system',
  file: '/srv/backups/one.backup',
  bytes: 2_048,
  hasKey: false,
} as const

function textOf(outcome: Parameters<typeof LastOutcome>[0]): string {
  return render(<LastOutcome {...outcome} />).container.textContent ?? ''
}

test('a backup that is not whole may be one that another installation still writes', () => {
  const text = textOf({ running: null, hasUnfinished: true, last: null })
  expect(text).toContain('Another installation may still write it')
})

test('the last backup is said to be deleted where it was', () => {
  const about = { running: null, hasUnfinished: false } as const
  const there = textOf({ ...about, last: { ...written, isDeleted: false } })
  expect(there).toContain('/srv/backups/one.backup')
  expect(there).not.toContain('deleted')
  expect(textOf({ ...about, last: { ...written, isDeleted: true } })).toContain(
    'It was deleted since.',
  )
})
