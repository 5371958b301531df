import { expect, it } from 'vitest'
import { sortOrder } from './resource'
import { sortBy, sortParts } from './sort-order'

const Order = sortOrder(['name', 'added'], '-added')

it('takes a key with or without a minus, and nothing else', () => {
  expect(['name', '-name', 'added', undefined].map((each) => Order.parse(each))).toEqual([
    'name',
    '-name',
    'added',
    '-added',
  ])
  for (const wrong of ['', '-', '--name', 'NAME', 'constructor', 'name desc', 'id', ['name']]) {
    expect(Order.safeParse(wrong).success).toBe(false)
  }
})

it('goes there and back', () => {
  expect(sortParts('name')).toEqual({ key: 'name', direction: 'asc' })
  expect(sortParts('-added')).toEqual({ key: 'added', direction: 'desc' })
  expect([sortBy('name', 'asc'), sortBy('added', 'desc')]).toEqual(['name', '-added'])
})
