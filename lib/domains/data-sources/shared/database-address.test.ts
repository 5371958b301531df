import { expect, test } from 'vitest'
import { readConnectionString, shownConnectionString } from './database-address'

test('a connection string is read with what is usual, and shown without its password', () => {
  const read = readConnectionString('postgres://a%40b:p%2Fw@db.example/sh%20op')
  expect(read).toEqual({
    host: 'db.example',
    port: 5432,
    database: 'sh op',
    user: 'a@b',
    password: 'p/w',
    sslMode: 'verify-full',
  })
  if (typeof read === 'string') throw new Error(read)
  const shown = shownConnectionString(read)
  expect(shown).toBe('postgresql://a%40b@db.example:5432/sh%20op?sslmode=verify-full')
  expect(readConnectionString(shown)).toEqual({ ...read, password: '' })
})

test('an IPv6 address keeps its brackets', () => {
  const read = readConnectionString('postgresql://a@[2606:2800:220:1::1]:6432/b?sslmode=disable')
  expect(read).toMatchObject({ host: '2606:2800:220:1::1', port: 6432, sslMode: 'disable' })
  if (typeof read === 'string') throw new Error(read)
  expect(shownConnectionString(read)).toContain('@[2606:2800:220:1::1]:6432/b')
})

test('the error repeats no part of the connection string', () => {
  const secret = 'hunter2hunter2'
  for (const text of [
    `${secret}`,
    `mysql://a:${secret}@b/c`,
    `postgresql://a:${secret}@b/c?x=1`,
    `postgresql://a:%zz${secret}@b/c`,
  ])
    expect(readConnectionString(text)).not.toMatch(secret)
})
