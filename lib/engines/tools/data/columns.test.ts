import { expect, test } from 'vitest'
import { deletedMark, quoted } from './columns'

test('a name stands in a statement as one name, whatever is in it', () => {
  expect(quoted('orders')).toBe('"orders"')
  expect(quoted('a"; DROP TABLE b; --')).toBe('"a""; DROP TABLE b; --"')
  expect(() => quoted('')).toThrow()
  expect(() => quoted('a\0b')).toThrow()
})

test('a column that looks like the mark of deleted rows is found', () => {
  const found = (...names: string[]) => deletedMark(names.map((name) => ({ name })))
  expect(
    ['deleted_at', 'deletedAt', 'is_deleted', 'deleted', 'isDeleted'].map((name) =>
      found('id', name),
    ),
  ).toEqual(['deleted_at', 'deletedAt', 'is_deleted', 'deleted', 'isDeleted'])
  expect(found('id', 'deletedBy', 'undeleted')).toBeNull()
})
