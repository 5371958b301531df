import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyDraft, type TaskDraft } from '../task-draft'
import { useEditedTask } from './use-edited-task'

const named = (name: string): TaskDraft => ({ ...emptyDraft, name })

function open() {
  const first = { version: 1, stored: named('Notes') }
  return renderHook(useEditedTask, { initialProps: first })
}

test('a newer version fills a form in which nothing was typed', () => {
  const { result, rerender } = open()
  rerender({ version: 2, stored: named('Theirs') })
  expect(result.current).toMatchObject({ version: 2, newer: null, fills: 1 })
  expect(result.current.draft.name).toBe('Theirs')
})

test('what was typed stays until its reader decides', () => {
  const { result, rerender } = open()
  act(() => result.current.setDraft(named('Mine')))
  rerender({ version: 2, stored: named('Theirs') })
  expect(result.current).toMatchObject({ version: 1, newer: 2, fills: 0 })
  expect(result.current.draft.name).toBe('Mine')
  act(() => result.current.keepMine())
  expect(result.current).toMatchObject({ version: 2, newer: null, changed: true })
  expect(result.current.draft.name).toBe('Mine')
  rerender({ version: 3, stored: named('Theirs again') })
  act(() => result.current.takeNewer())
  expect(result.current).toMatchObject({ version: 3, newer: null, changed: false })
  expect(result.current.draft.name).toBe('Theirs again')
})

test('what was saved here is the new beginning, however the server wrote it down', () => {
  const { result, rerender } = open()
  act(() => result.current.setDraft(named('Mine ')))
  act(() => result.current.setNote('why'))
  act(() => result.current.settle(2, named('Mine ')))
  expect(result.current).toMatchObject({ version: 2, changed: false, note: '' })
  rerender({ version: 2, stored: named('Mine') })
  expect(result.current).toMatchObject({ version: 2, newer: null, changed: false, fills: 0 })
})
