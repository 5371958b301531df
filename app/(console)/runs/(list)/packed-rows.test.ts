import { expect, test } from 'vitest'
import { packRows, unpackRows } from './packed-rows'

const rows = [
  { id: 'a', model: { id: 'm', name: 'Small' }, task: null, tags: ['x'] },
  { id: 'b', model: { id: 'm', name: 'Small' }, task: null, tags: [], member: 'Fast' },
]

test('rows are the same after the way to the browser', () => {
  expect(unpackRows(JSON.parse(JSON.stringify(packRows<object>(rows))))).toEqual(rows)
})

test('a value of several rows is sent once', () => {
  expect(packRows<object>(rows).values).toEqual([
    'a',
    { id: 'm', name: 'Small' },
    null,
    ['x'],
    'b',
    [],
    'Fast',
  ])
})
